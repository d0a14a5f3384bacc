#include "modules/reporters/html/tables.hpp"

#include <algorithm>
#include <set>

#include "modules/reporters/html/format.hpp"

namespace cloudai::html {

namespace {

using Names = std::set<std::string>;

// Columns that a reader of the plots looks for.
Names plotted_columns(const Table& table, const std::vector<Plot>& plots) {
  Names names;
  for (const Plot& plot : plots) {
    if (plot.table != table.name) continue;
    names.insert(plot.x);
    names.insert(plot.y.begin(), plot.y.end());
    for (const auto& [y, failed] : plot.failed) names.insert(failed);
  }
  return names;
}

Names failed_columns(const Table& table, const std::vector<Plot>& plots) {
  Names names;
  for (const Plot& plot : plots) {
    if (plot.table != table.name) continue;
    for (const auto& [y, failed] : plot.failed) names.insert(failed);
  }
  return names;
}

const Json& cell_of(const std::vector<Json>& row, std::size_t column) {
  static const Json nothing;
  return column < row.size() ? row[column] : nothing;
}

bool is_constant(const Table& table, std::size_t column) {
  return table.rows.size() > 1 && std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
           return cell_of(row, column) == cell_of(table.rows.front(), column);
         });
}

std::string cell_text(const Json& cell) {
  if (cell.is_null()) return "–";
  if (cell.is_string()) return escape(cell.get<std::string>());
  if (cell.is_number_float()) return number_text(cell.get<double>());
  return escape(cell.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string heading(const Column& column) {
  const bool has_unit = column.unit.empty() || column.unit == "1";
  return escape(has_unit ? column.name : column.name + " (" + unit_text(column.unit) + ")");
}

std::string row_markup(const Table& table, const std::vector<Json>& row, const std::vector<std::size_t>& columns,
                       const Names& failed) {
  std::string html = "<tr>";
  for (const std::size_t column : columns) {
    const Json& cell = cell_of(row, column);
    const bool bad = failed.count(table.columns[column].name) > 0 && cell.is_number() && cell.get<double>() != 0;
    std::string kind = table.columns[column].type == ColumnType::text ? "" : "number";
    if (bad) kind += " bad";
    html += kind.empty() ? "<td>" : "<td class=\"" + kind + "\">";
    html += bad ? "✗ " + cell_text(cell) + "</td>" : cell_text(cell) + "</td>";
  }
  return html + "</tr>\n";
}

// "Type float · Redop sum".
std::string constants_text(const Table& table, const std::vector<std::size_t>& columns) {
  if (table.rows.empty()) return {};
  std::string result;
  for (const std::size_t column : columns) {
    const Json& cell = cell_of(table.rows.front(), column);
    if (!cell.is_null()) result += " · " + heading(table.columns[column]) + " <b>" + cell_text(cell) + "</b>";
  }
  return result.empty() ? result : "In every row" + result;
}

}  // namespace

std::string table_markup(const Table& table, const std::vector<Plot>& plots) {
  const Names plotted = plotted_columns(table, plots);
  const Names failed = failed_columns(table, plots);
  std::vector<std::size_t> shown;
  std::vector<std::size_t> constant;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool is_lifted = plotted.count(table.columns[i].name) == 0 && is_constant(table, i);
    (is_lifted ? constant : shown).push_back(i);
  }
  std::string html = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table " + escape(table.name) +
                     "\">\n<table class=\"plain data\">\n<caption><b>" + escape(table.name) + "</b> " +
                     count_text(table.rows.size(), "row");
  if (const std::string constants = constants_text(table, constant); !constants.empty()) html += ". " + constants;
  if (table.rows.size() > most_table_rows) {
    html += ". Here are the first " + std::to_string(most_table_rows) + "; all are in <code>outcome.json</code>";
  }
  html += ".</caption>\n<thead><tr>";
  for (const std::size_t column : shown) {
    html += table.columns[column].type == ColumnType::text ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"number\">";
    html += heading(table.columns[column]) + "</th>";
  }
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < std::min(table.rows.size(), most_table_rows); ++i) {
    html += row_markup(table, table.rows[i], shown, failed);
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

}  // namespace cloudai::html
