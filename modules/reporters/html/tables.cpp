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

// How many digits after the point show every number of a column as it was given.
int decimals_of(const Table& table, std::size_t column) {
  constexpr std::size_t most = 6;
  std::size_t decimals = 0;
  for (const auto& row : table.rows) {
    const Json& cell = cell_of(row, column);
    if (!cell.is_number_float()) continue;
    const std::string digits = cell.dump();
    const std::size_t point = digits.find('.');
    const bool whole = point == std::string::npos || digits.compare(point, std::string::npos, ".0") == 0;
    if (!whole) decimals = std::max(decimals, digits.size() - point - 1);
  }
  return static_cast<int>(std::min(decimals, most));
}

std::string cell_text(const Json& cell, int decimals) {
  if (cell.is_null()) return "–";
  if (cell.is_string()) return escape(cell.get<std::string>());
  if (cell.is_number_float()) return fixed_text(cell.get<double>(), decimals);
  return escape(cell.dump(-1, ' ', false, Json::error_handler_t::replace));
}

struct ShownColumn {
  std::size_t index = 0;
  int decimals = 0;
};

std::string heading(const Column& column) {
  const bool has_unit = column.unit.empty() || column.unit == "1";
  return escape(has_unit ? column.name : column.name + " (" + unit_text(column.unit) + ")");
}

std::string row_markup(const Table& table, const std::vector<Json>& row, const std::vector<ShownColumn>& columns,
                       const Names& failed) {
  std::string html = "<tr>";
  for (const auto& [column, decimals] : columns) {
    const Json& cell = cell_of(row, column);
    const bool bad = failed.count(table.columns[column].name) > 0 && cell.is_number() && cell.get<double>() != 0;
    std::string kind = table.columns[column].type == ColumnType::text ? "" : "number";
    if (bad) kind += " bad";
    html += kind.empty() ? "<td>" : "<td class=\"" + kind + "\">";
    html += (bad ? "✗ " : "") + cell_text(cell, decimals) + "</td>";
  }
  return html + "</tr>\n";
}

// "Type float · Redop sum".
std::string constants_text(const Table& table, const std::vector<ShownColumn>& columns) {
  if (table.rows.empty()) return {};
  std::string result;
  for (const auto& [column, decimals] : columns) {
    const Json& cell = cell_of(table.rows.front(), column);
    if (cell.is_null()) continue;
    result += " · " + heading(table.columns[column]) + " <b>" + cell_text(cell, decimals) + "</b>";
  }
  return result.empty() ? result : "In every row" + result;
}

std::string head_markup(const Table& table, const std::vector<ShownColumn>& columns) {
  std::string html = "<thead><tr>";
  for (const auto& [column, decimals] : columns) {
    const bool is_text = table.columns[column].type == ColumnType::text;
    html += is_text ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"number\">";
    html += heading(table.columns[column]) + "</th>";
  }
  return html + "</tr></thead>\n";
}

std::string caption_markup(const Table& table, const std::vector<ShownColumn>& constant) {
  std::string html = "<caption><b>" + escape(table.name) + "</b> " + count_text(table.rows.size(), "row");
  if (const std::string constants = constants_text(table, constant); !constants.empty()) html += ". " + constants;
  if (table.rows.size() > most_table_rows) {
    html += ". Here are the first " + std::to_string(most_table_rows) + "; all are in <code>outcome.json</code>";
  }
  return html + ".</caption>\n";
}

}  // namespace

std::string table_markup(const Table& table, const std::vector<Plot>& plots) {
  const Names plotted = plotted_columns(table, plots);
  const Names failed = failed_columns(table, plots);
  std::vector<ShownColumn> shown;
  std::vector<ShownColumn> constant;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool is_lifted = plotted.count(table.columns[i].name) == 0 && is_constant(table, i);
    (is_lifted ? constant : shown).push_back({i, decimals_of(table, i)});
  }
  std::string html = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table " + escape(table.name) +
                     "\">\n<table class=\"plain data\">\n";
  html += caption_markup(table, constant) + head_markup(table, shown) + "<tbody>\n";
  for (std::size_t i = 0; i < std::min(table.rows.size(), most_table_rows); ++i) {
    html += row_markup(table, table.rows[i], shown, failed);
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

}  // namespace cloudai::html
