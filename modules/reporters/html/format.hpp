// Numbers, times and texts as a person reads them on the page.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace cloudai::html {

// Text without what has no place on a page: characters XML refuses, and marks that turn the direction of writing,
// become U+FFFD.
std::string printable(std::string_view text);

// Printable text for HTML and for XML, in elements and in attributes.
std::string escape(std::string_view text);

// Four significant digits and never fewer than the whole part: "302.9", "17180", "0.0123".
std::string number_text(double value);

// 1536 → "1.5 KiB".
std::string bytes_text(double value);

// 0.25 → "0.25 s", 72 → "1 min 12 s", 3723 → "1 h 2 min 3 s".
std::string duration_text(double seconds);

// "us" → "µs"; every other unit as it is.
std::string unit_text(std::string_view unit);

// A value with its unit: sizes as bytes_text, seconds as duration_text, a count alone.
std::string quantity_text(double value, std::string_view unit);

// The labels of a metric: "all_reduce, 1 MiB, in place". The three that say what a collective was measured on come
// first and speak for themselves; any other has its name, "root 3".
std::string labels_text(const std::map<std::string, std::string>& labels);

// The unit a column's values are in: `unit` where it is told, else the one its name holds in brackets, "Busbw (GB/s)
// In-place"; else nothing.
std::string unit_of_column(const std::string& name, const std::string& unit);

// "Size (B)" → "Size": a name without its unit, for where the unit stands elsewhere.
std::string without_unit(const std::string& name, const std::string& unit);

// "2026-03-01T12:00:00.000Z" → "2026-03-01 12:00:00 UTC"; any other text as it is.
std::string time_text(const std::string& time);

// "1 run", "2 runs".
std::string count_text(std::size_t count, std::string_view noun);

// `word` as a shell reads it back: plain where it can be, else in single quotes.
std::string shell_word(const std::string& word);

// A relative path as a link: never a scheme, every byte that means something in a URL encoded.
std::string link(const std::string& relative_path);

}  // namespace cloudai::html
