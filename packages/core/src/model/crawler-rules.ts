/** How crawlers may use the content of the service (contentsignals.org). */
export interface ContentSignal {
  readonly search: boolean
  readonly aiInput: boolean
  readonly aiTrain: boolean
}

/** The rules of `/robots.txt`. */
export interface CrawlerRules {
  readonly contentSignal: ContentSignal
  /** The user agents of disallowed crawlers. */
  readonly disallow: readonly string[]
}
