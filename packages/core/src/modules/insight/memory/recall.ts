/** An entry that may be recalled. */
export interface RecallCandidate {
  /** 0 to 1: how well it fits the query, compared with the best one. */
  readonly relevance: number
  /** 0 to 1, as given by the agent. */
  readonly importance: number
  readonly createdAt: Date
  readonly content: string
}

/** A recalled entry. */
export interface Recalled<Candidate> {
  readonly candidate: Candidate
  /** 0 to 1. */
  readonly score: number
  readonly tokens: number
}

/**
 * The age at which an entry counts half.
 * @internal
 */
export const HALF_LIFE_MS = 7 * 86_400_000
/** What an entry without importance counts, compared with the most important one. */
const LEAST_IMPORTANCE = 0.25
const BYTES_PER_TOKEN = 4
/** For the role and the separators of an entry. */
const TOKENS_PER_ENTRY = 4

/**
 * An estimate of the tokens of an entry that models count: one for 4 bytes of UTF-8, and 4 for its role.
 * @internal
 */
export const tokensOf = (content: string): number =>
  TOKENS_PER_ENTRY + Math.ceil(Buffer.byteLength(content) / BYTES_PER_TOKEN)

/**
 * The score of an entry: `relevance × recency × importance`. Recency is 1 for a new entry and a half after each week; importance is
 * scaled to 0.25-1, so that an unimportant entry can still be recalled.
 * @internal
 */
export function scoreOf({ relevance, importance, createdAt }: Omit<RecallCandidate, 'content'>, at: Date): number {
  const ageMs = Math.max(0, at.getTime() - createdAt.getTime())
  const recency = 0.5 ** (ageMs / HALF_LIFE_MS)
  return relevance * recency * (LEAST_IMPORTANCE + (1 - LEAST_IMPORTANCE) * importance)
}

/**
 * Returns the entries with the highest scores that fit into a budget of tokens together, best first. One that does not fit is left out,
 * and shorter ones after it are tried. Of equal scores the newer entry goes first.
 */
export function recall<Candidate extends RecallCandidate>(
  candidates: readonly Candidate[],
  tokenBudget: number,
  at: Date,
): readonly Recalled<Candidate>[] {
  const scored = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate, at), tokens: tokensOf(candidate.content) }))
    .filter(({ score }) => score > 0)
    .sort(
      (one, other) =>
        other.score - one.score || other.candidate.createdAt.getTime() - one.candidate.createdAt.getTime(),
    )
  let left = tokenBudget
  return scored.filter(({ tokens }) => {
    if (tokens > left) return false
    left -= tokens
    return true
  })
}
