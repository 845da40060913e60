/** What others may do with what they read here (contentsignals.org). */
export interface ContentSignal {
  readonly search: boolean
  readonly aiInput: boolean
  readonly aiTrain: boolean
}

/** What `/robots.txt` tells crawlers. */
export interface CrawlerRules {
  readonly contentSignal: ContentSignal
  /** The crawlers that are to stay away, by the name they give themselves. */
  readonly disallow: readonly string[]
}
