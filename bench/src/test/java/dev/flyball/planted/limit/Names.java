package dev.flyball.planted.limit;

/** One name of each kind that says nothing. */
public final class Names {
  private Names() {}

  record AbstractBucket() {}

  record BaseBucket() {}

  record DefaultBucket() {}

  record BucketData() {}

  record BucketHelper() {}

  record BucketImpl() {}

  record BucketInfo() {}

  record BucketManager() {}

  record BucketUtil() {}

  record BucketUtils() {}
}
