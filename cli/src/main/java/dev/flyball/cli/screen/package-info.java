/** What people see on a terminal: live pictures, pages and tables. */
@NullMarked
package dev.flyball.cli.screen;

import org.jspecify.annotations.NullMarked;
