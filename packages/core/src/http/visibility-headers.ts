type Visibility = 'public' | 'unlisted' | 'private'

/** How long others may keep what they read. A change shows here at once, and there after this time. */
export const CACHE_CONTROL: Readonly<Record<Visibility, string>> = {
  public: 'public, max-age=60',
  unlisted: 'private, max-age=60',
  private: 'private, no-store',
}

/** Only what stands in lists may stand in those of others. */
export const robotsOf = (visibility: Visibility): Record<string, string> =>
  visibility === 'public' ? {} : { 'x-robots-tag': 'noindex' }
