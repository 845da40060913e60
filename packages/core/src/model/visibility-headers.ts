type Visibility = 'public' | 'unlisted' | 'private'

/**
 * How long clients and proxies may cache responses. A change is visible in the service immediately, and in those caches
 * after this time.
 */
export const CACHE_CONTROL: Readonly<Record<Visibility, string>> = {
  public: 'public, max-age=60',
  unlisted: 'private, max-age=60',
  private: 'private, no-store',
}

/** Unlisted documents must not be indexed by search engines. */
export const robotsOf = (visibility: Visibility): Record<string, string> =>
  visibility === 'public' ? {} : { 'x-robots-tag': 'noindex' }
