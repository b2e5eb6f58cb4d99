/** What the commands say about themselves: help, manual pages, completion and near misses. */
@NullMarked
package dev.flyball.cli.help;

import org.jspecify.annotations.NullMarked;
