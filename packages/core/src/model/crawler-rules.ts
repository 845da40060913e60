/** What others may do with what they read here (contentsignals.org). */
export interface ContentSignal {
  readonly search: boolean
  readonly aiInput: boolean
  readonly aiTrain: boolean
}

/** The rules of `/robots.txt`. */
export interface CrawlerRules {
  readonly contentSignal: ContentSignal
  /** The crawlers that are to stay away, by the name they give themselves. */
  readonly disallow: readonly string[]
}
