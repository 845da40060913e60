/** The unit of a period of figures, in UTC. Weeks begin on Monday. */
export type AnalyticsUnit = 'minute' | 'hour' | 'day' | 'week' | 'month'

/** How often something of a profile was counted in one minute. */
export interface AnalyticsCount {
  readonly profileId: number
  /** The start of the minute. */
  readonly minute: Date
  /** The metric: `views`, `formats`. The storage does not interpret it. */
  readonly metric: string
  /** The key within the metric, for example a format; empty for a metric with one figure. */
  readonly key: string
  readonly count: number
}

/** A visitor of a profile, by a hash that is different every day. */
export interface AnalyticsVisitor {
  readonly profileId: number
  readonly visitor: string
  /** The start of the minute of the visit. */
  readonly minute: Date
}

/** Figures that are stored together, and once. */
export interface AnalyticsBatch {
  /** UUID. */
  readonly id: string
  readonly at: Date
  /** Each combination of profile, minute, metric and key at most once. */
  readonly counts: readonly AnalyticsCount[]
  /** Each combination of profile and visitor at most once. */
  readonly visitors: readonly AnalyticsVisitor[]
}

/** A profile and a period: from `from` until before `to`. */
export interface AnalyticsPeriod {
  readonly profileId: number
  readonly from: Date
  readonly to: Date
}

/** A figure of one unit of time. */
export interface AnalyticsFigure {
  /** The start of the unit. */
  readonly at: Date
  readonly metric: string
  readonly key: string
  readonly count: number
}

/** The sales of one unit of time in one asset on one rail. */
export interface AnalyticsSales {
  readonly at: Date
  readonly rail: string
  readonly network: string
  readonly asset: string
  readonly currency: string
  readonly sales: number
  /** An integer of the smallest unit, as text. */
  readonly gross: string
}

/** The sales to one agent of one resource. */
export interface AgentSales {
  /** The DID of the agent that signed the request. */
  readonly agentDid: string
  readonly sales: number
}

/** The sales to one program. */
export interface BotSales {
  /** The operator that signed the request: an origin, or the URL of its keys. */
  readonly bot: string
  readonly sales: number
}

/** The followers of a profile. */
export interface AnalyticsFollowers {
  readonly total: number
  /** Current followers, by the unit of time in which they started to follow. */
  readonly gained: readonly { readonly at: Date; readonly count: number }[]
}

/** What a purge deletes. */
export interface AnalyticsPurge {
  /** Deletes minutes before this time that are rolled up, and the ids of batches that were stored before it. */
  readonly minutesBefore: Date
  /** Deletes the salts of days before this one: `2026-01-31`. */
  readonly saltsBefore: string
  /** Deletes figures of days before this time. */
  readonly daysBefore: Date
}

/** The figures to keep when hours are replaced by their days. */
export interface AnalyticsDayRules {
  /** Metrics that are deleted with their hours. */
  readonly dropped: readonly string[]
  /** How many keys of a metric and profile are kept, those with the highest counts. */
  readonly maxKeys: number
  /** The key that gets the counts of all others. */
  readonly rest: string
}

/** Figures about profiles, for reading. */
export interface AnalyticsReader {
  /**
   * Sums of metrics in each unit of a period, in any order. Figures count once, rolled up or not. Units shorter than an
   * hour exist for the last 48 hours only.
   */
  series(
    query: AnalyticsPeriod & { readonly unit: AnalyticsUnit; readonly metrics: readonly string[] },
  ): Promise<readonly AnalyticsFigure[]>
  /** The keys of a metric with the highest sums in a period, the highest first. */
  top(
    query: AnalyticsPeriod & { readonly metric: string; readonly limit: number },
  ): Promise<readonly { readonly key: string; readonly count: number }[]>
  /**
   * Visitors in each unit of a period. By hour, each counts once an hour; by any other unit, once a day, because the hash of
   * a visitor changes daily.
   */
  visitors(
    query: AnalyticsPeriod & { readonly unit: AnalyticsUnit },
  ): Promise<readonly { readonly at: Date; readonly count: number }[]>
  /** The number of different visitors whose last visit is at or after a time of today or yesterday. */
  countVisitors(query: { readonly profileId: number; readonly since: Date }): Promise<number>
  /** Sales in each unit of a period, from the receipts. */
  sales(query: AnalyticsPeriod & { readonly unit: AnalyticsUnit }): Promise<readonly AnalyticsSales[]>
  /** Sales to verified agents in a period, highest first. */
  agentSales(query: AnalyticsPeriod & { readonly limit: number }): Promise<readonly AgentSales[]>
  /** Payments by programs whose operator signed the request, in a period, most first. */
  botSales(query: AnalyticsPeriod & { readonly limit: number }): Promise<readonly BotSales[]>
  /** The number of current followers, and of those who started to follow in each unit of a period. */
  followers(query: AnalyticsPeriod & { readonly unit: AnalyticsUnit }): Promise<AnalyticsFollowers>
}

/** Figures about profiles. They are deleted with the profile. */
export interface AnalyticsStore extends AnalyticsReader {
  /**
   * Adds the figures of a batch, without those of profiles that do not exist. False when a batch with this id is stored
   * already: it changes nothing then. Of concurrent calls with one id, one adds them.
   */
  addBatch(batch: AnalyticsBatch): Promise<boolean>
  /** Stores the salt of a day unless it has one, and returns the stored one. Concurrent calls return the same. */
  keepSalt(day: string, salt: string): Promise<string>
  /**
   * Adds minutes before `before` to their hours, at most `limit` rows. Returns the number of changed figures; call it again
   * until it returns 0. Each count is added once, also by concurrent calls and when a minute is counted later.
   */
  rollUpMinutes(before: Date, limit: number): Promise<number>
  /**
   * Replaces the visitors of days before `before`, of at most `limit` profiles, by their number in each hour and day.
   * Hours and days that have a number keep it: visitors that are stored later may have been counted. Returns the number of
   * days that visitors were removed from; call it again until it returns 0.
   */
  rollUpVisitors(before: Date, limit: number): Promise<number>
  /**
   * Replaces hours before `before` by their days, for at most `limit` days of a metric and profile. Returns the number of
   * stored figures and deleted rows; call it again until it returns 0. The visitors of each hour are deleted, because those of the day are
   * stored already. Hours of one day are added together before keys are counted, also by concurrent calls.
   */
  rollUpHours(before: Date, limit: number, rules: AnalyticsDayRules): Promise<number>
  /** Deletes at most `limit` rows of each kind. Returns the number of deleted rows; call it again until it is below `limit`. */
  purge(what: AnalyticsPurge, limit: number): Promise<number>
}
