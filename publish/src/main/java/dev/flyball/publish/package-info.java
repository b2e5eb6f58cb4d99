/** Pull requests of GitHub and GitLab: read, reviewed, and answered where they are discussed. */
@NullMarked
package dev.flyball.publish;

import org.jspecify.annotations.NullMarked;
