type Visibility = 'public' | 'unlisted' | 'private'

/** How long clients and proxies may cache responses. A change is visible here immediately, and there after this time. */
export const CACHE_CONTROL: Readonly<Record<Visibility, string>> = {
  public: 'public, max-age=60',
  unlisted: 'private, max-age=60',
  private: 'private, no-store',
}

/** Documents that are in no list must not be indexed by others. */
export const robotsOf = (visibility: Visibility): Record<string, string> =>
  visibility === 'public' ? {} : { 'x-robots-tag': 'noindex' }
