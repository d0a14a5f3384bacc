// What the terminal behind a file descriptor can do.
#pragma once

#include <cstddef>

namespace cloudai::terminal {

// Whether text on `fd` may hold colours: it is a terminal, TERM names one that is not "dumb", and NO_COLOR is not set.
bool takes_colour(int fd);

// Whether a line on `fd` can be written over: it is a terminal, and TERM names one that is not "dumb".
bool can_rewrite_lines(int fd);

// Whether another program has the terminal `fd` just now, as a shell has while its job runs in the background.
bool is_in_background(int fd);

// Its width as it is now; 80 where that is not known.
std::size_t columns(int fd);

}  // namespace cloudai::terminal
