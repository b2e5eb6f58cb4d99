/** What findings mean, as a small model sees it that runs in this process. */
@NullMarked
package dev.flyball.meaning;

import org.jspecify.annotations.NullMarked;
