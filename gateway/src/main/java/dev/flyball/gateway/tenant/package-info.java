/** Those who share a gateway: their keys, their shares and their budgets. */
@NullMarked
package dev.flyball.gateway.tenant;

import org.jspecify.annotations.NullMarked;
