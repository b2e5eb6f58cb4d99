package dev.flyball.planted.review;

import dev.langchain4j.model.embedding.EmbeddingModel;

/** A review that brings the model along. */
public record UsesModel(EmbeddingModel model) {}
