#include "tools/mpi_collectives/options.hpp"

#include <getopt.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

#include "core/support/nearest.hpp"

namespace mpi_collectives {

namespace {

using Problem = std::optional<std::string>;

// Reads one option's value into the options, or says what is wrong with it ("must be …").
using Reader = std::function<Problem(Options&, const std::string&)>;

struct Option {
  std::string name;
  char letter;
  std::string value_name;  // empty: the option has no value
  std::string description;
  Reader read;
};

std::optional<long long> whole_number(const std::string& text) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class Number>
Reader number_into(Number Options::*member, long long least, long long most = std::numeric_limits<int>::max()) {
  return [=](Options& options, const std::string& text) -> Problem {
    const auto value = whole_number(text);
    if (!value || *value < least || *value > most) {
      if (most < std::numeric_limits<int>::max()) {
        return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most);
      }
      return "must be a whole number of at least " + std::to_string(least);
    }
    options.*member = static_cast<Number>(*value);
    return std::nullopt;
  };
}

Reader size_into(std::size_t Options::*member) {
  return [=](Options& options, const std::string& text) -> Problem {
    const auto size = parse_size(text);
    if (!size) return "must be a number of bytes, with K, M or G for powers of 1024 if wanted (8, 32M)";
    options.*member = *size;
    return std::nullopt;
  };
}

// An option that means something on GPUs only: its one neutral value is accepted.
Reader only(long long neutral) {
  return [=](Options& /*options*/, const std::string& text) -> Problem {
    if (whole_number(text) == neutral) return std::nullopt;
    return "must be " + std::to_string(neutral) +
           ": this program measures CPUs through MPI, where another value has no meaning";
  };
}

template <class Value>
std::string names_of(const std::vector<Value>& values) {
  std::string result;
  for (const Value value : values) result += std::string(name_of(value)) + ", ";
  return result + "all";
}

template <class Value>
std::vector<std::string> name_list(const std::vector<Value>& values) {
  std::vector<std::string> result{"all"};
  for (const Value value : values) result.emplace_back(name_of(value));
  return result;
}

Problem read_operation(Options& options, const std::string& text) {
  if (text == "all") {
    options.reductions = all_reductions();
  } else if (const auto reduction = reduction_named(text)) {
    options.reductions = {*reduction};
  } else if (text == "mulsum") {
    return "must be one of " + names_of(all_reductions()) + ": MPI has no mulsum";
  } else {
    return "must be one of " + names_of(all_reductions()) + cloudai::did_you_mean(text, name_list(all_reductions()));
  }
  return std::nullopt;
}

Problem read_data_type(Options& options, const std::string& text) {
  constexpr std::array<std::string_view, 4> gpu_types{"half", "bfloat16", "f8e4m3", "f8e5m2"};
  if (text == "all") {
    options.types = all_data_types();
  } else if (const auto type = data_type_named(text)) {
    options.types = {*type};
  } else if (std::find(gpu_types.begin(), gpu_types.end(), text) != gpu_types.end()) {
    return "must be one of " + names_of(all_data_types()) + ": MPI has no " + text;
  } else {
    return "must be one of " + names_of(all_data_types()) + cloudai::did_you_mean(text, name_list(all_data_types()));
  }
  return std::nullopt;
}

Problem read_root(Options& options, const std::string& text) {
  if (text == "all" || text == "-1") {
    options.root = std::nullopt;
    return std::nullopt;
  }
  const auto root = whole_number(text);
  if (!root || *root < 0 || *root > std::numeric_limits<int>::max()) return "must be a rank, or all";
  options.root = static_cast<int>(*root);
  return std::nullopt;
}

Problem read_average(Options& options, const std::string& text) {
  const auto value = whole_number(text);
  if (!value || *value < 0 || *value > 3) return "must be a whole number from 0 to 3";
  options.average = static_cast<Average>(*value);
  return std::nullopt;
}

Problem read_help(Options& options, const std::string& /*text*/) {
  options.help = true;
  return std::nullopt;
}

const std::vector<Option>& option_table() {
  static const std::vector<Option> table{
      {"nthreads", 't', "1", "threads a rank; only 1", only(1)},
      {"ngpus", 'g', "1", "devices a thread; only 1", only(1)},
      {"minbytes", 'b', "SIZE", "smallest message, default 32M", size_into(&Options::min_bytes)},
      {"maxbytes", 'e', "SIZE", "largest message, default 32M", size_into(&Options::max_bytes)},
      {"stepbytes", 'i', "SIZE", "added from one message size to the next, default 1M",
       size_into(&Options::step_bytes)},
      {"stepfactor", 'f', "N", "multiplied from one size to the next, instead of --stepbytes",
       number_into(&Options::step_factor, 1)},
      {"iters", 'n', "N", "timed calls for each size, default 20", number_into(&Options::iterations, 1)},
      {"agg_iters", 'm', "1", "calls grouped into one; only 1", only(1)},
      {"warmup_iters", 'w', "N", "calls before the clock starts, default 5",
       number_into(&Options::warmup_iterations, 0)},
      {"run_cycles", 'N', "N", "times the whole sweep is run, default 1; 0: until stopped",
       number_into(&Options::cycles, 0)},
      {"parallel_init", 'p', "0", "only 0", only(0)},
      {"check", 'c', "N", "checks of the received data for each size, default 1; 0: none",
       number_into(&Options::checks, 0)},
      {"op", 'o', "NAME", "reduction: " + names_of(all_reductions()) + "; default sum", read_operation},
      {"datatype", 'd', "NAME", "element type: " + names_of(all_data_types()) + "; default float", read_data_type},
      {"root", 'r', "RANK", "root of the collective, or all; default 0", read_root},
      {"blocking", 'z', "0", "only 0", only(0)},
      {"stream_null", 'y', "0", "only 0", only(0)},
      {"timeout", 'T', "SECONDS", "end the run when one size takes longer; default 0: never",
       number_into(&Options::timeout_seconds, 0)},
      {"cudagraph", 'G', "0", "only 0", only(0)},
      {"report_cputime", 'C', "0", "only 0", only(0)},
      {"average", 'a', "0..3", "time of: 0 rank 0, 1 the mean, 2 the fastest, 3 the slowest rank; default 1",
       read_average},
      {"local_register", 'R', "0", "only 0", only(0)},
      {"help", 'h', "", "this text", read_help},
  };
  return table;
}

std::string spelling(const Option& option) {
  return "--" + option.name;
}

std::string unknown_option(const std::string& text) {
  std::vector<std::string> names;
  for (const Option& option : option_table()) names.push_back(spelling(option));
  const std::string near = cloudai::did_you_mean(text, names);
  return "unknown option '" + text + "'" + (near.empty() ? ". --help lists the options" : near);
}

// getopt completes an unambiguous beginning of a long name, which hides a slip: a benchmark would measure something
// else.
bool is_whole(const std::string& name) {
  const auto& table = option_table();
  const auto has_name = [&](const Option& option) { return spelling(option) == name; };
  return !name.starts_with("--") || std::any_of(table.begin(), table.end(), has_name);
}

// What is wrong although every single value is right.
Problem inconsistency(const Options& options) {
  if (options.min_bytes > options.max_bytes) {
    return "--minbytes " + std::to_string(options.min_bytes) + " is above --maxbytes " +
           std::to_string(options.max_bytes);
  }
  const bool grows = options.step_factor > 1 ? options.min_bytes > 0 : options.step_bytes > 0;
  if (!grows && options.min_bytes < options.max_bytes) {
    return options.step_factor > 1
               ? "--minbytes 0 stays 0 when it is multiplied by --stepfactor; give at least 1, or --stepbytes"
               : "--stepbytes 0 never reaches --maxbytes; give at least 1, or --stepfactor";
  }
  return std::nullopt;
}

struct GetoptTables {
  std::string letters = "+:";  // in the order of the words; a missing value is told apart from an unknown option
  std::vector<option> names;
};

GetoptTables getopt_tables() {
  GetoptTables tables;
  for (const Option& entry : option_table()) {
    const bool has_value = !entry.value_name.empty();
    tables.letters += entry.letter;
    if (has_value) tables.letters += ':';
    tables.names.push_back({entry.name.c_str(), has_value ? required_argument : no_argument, nullptr, entry.letter});
  }
  tables.names.push_back({nullptr, 0, nullptr, 0});
  return tables;
}

}  // namespace

tl::expected<Options, std::string> parse_options(const std::vector<std::string>& arguments) {
  std::vector<std::string> storage = arguments;
  std::vector<char*> argv;
  for (std::string& argument : storage) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int argc = static_cast<int>(storage.size());

  const GetoptTables tables = getopt_tables();
  Options options;
  opterr = 0;
  optind = 0;  // 0, not 1: also forget where an earlier call stopped inside a word
  for (;;) {
    const int word = std::max(optind, 1);
    const int letter = getopt_long(argc, argv.data(), tables.letters.c_str(), tables.names.data(), nullptr);
    if (letter == -1) break;
    const std::string text = storage[static_cast<std::size_t>(std::min(word, argc - 1))];
    const std::string name = text.substr(0, text.find('='));
    if (letter == '?' || !is_whole(name)) return tl::unexpected(unknown_option(name));
    if (letter == ':') return tl::unexpected("option " + text + " needs a value");
    const auto& table = option_table();
    const auto found = std::find_if(table.begin(), table.end(), [&](const Option& o) { return o.letter == letter; });
    const std::string value = optarg != nullptr ? optarg : "";
    if (const Problem problem = found->read(options, value)) {
      return tl::unexpected(spelling(*found) + " " + value + ": " + *problem);
    }
  }
  if (optind < argc)
    return tl::unexpected("unexpected argument '" + std::string(argv[static_cast<std::size_t>(optind)]) + "'");
  if (const Problem problem = inconsistency(options)) return tl::unexpected(*problem);
  return options;
}

std::optional<std::size_t> parse_size(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !(number >= 0)) return std::nullopt;
  const std::string suffix(end, text.data() + text.size());
  if (suffix.size() > 1) return std::nullopt;
  double unit = 1;
  if (!suffix.empty()) {
    const std::size_t power = std::string_view("KkMmGg").find(suffix[0]);
    if (power == std::string_view::npos) return std::nullopt;
    unit = std::pow(1024.0, static_cast<double>(power / 2 + 1));
  }
  // 2^53: beyond it a double no longer counts single bytes.
  constexpr double most = 9007199254740992.0;
  if (number * unit > most) return std::nullopt;
  return static_cast<std::size_t>(number * unit);
}

std::optional<std::size_t> next_size(const Options& options, std::size_t bytes) {
  if (options.step_factor > 1) {
    if (bytes == 0 || bytes > options.max_bytes / options.step_factor) return std::nullopt;
    return bytes * options.step_factor;
  }
  if (options.step_bytes == 0 || options.step_bytes > options.max_bytes - bytes) return std::nullopt;
  return bytes + options.step_bytes;
}

std::string usage(const std::string& program) {
  std::string text = "Usage: mpirun -np RANKS " + program +
                     " [OPTIONS]\nMeasures an MPI collective on CPUs and prints it in the format of nccl-tests.\n\n";
  for (const Option& option : option_table()) {
    std::string left = std::string("  -") + option.letter + ", " + spelling(option);
    if (!option.value_name.empty()) left += " " + option.value_name;
    left.resize(std::max<std::size_t>(left.size() + 1, 28), ' ');
    text += left + option.description + "\n";
  }
  return text + "\nSIZE is a number of bytes; K, M and G are powers of 1024.\n";
}

}  // namespace mpi_collectives
