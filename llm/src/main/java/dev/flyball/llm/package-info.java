/**
 * Model providers over HTTP, one attempt at a time, and the catalogue of those that are known.
 *
 * <p>The module has one front door for each thing that is asked of it: {@link
 * dev.flyball.llm.Provider} sends an attempt, {@link dev.flyball.llm.ProviderCatalogue} knows
 * providers and accounts, {@link dev.flyball.llm.price.PriceList} what models cost, {@link
 * dev.flyball.llm.token.TokenCounter} how many tokens a prompt will be, and {@link
 * dev.flyball.llm.reply.SignalReader} what a reply says about limits. This package uses {@code
 * reply}, {@code price} and {@code token}; none of them uses this one or another.
 */
@NullMarked
package dev.flyball.llm;

import org.jspecify.annotations.NullMarked;
