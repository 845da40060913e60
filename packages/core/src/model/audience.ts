/** A requirement that a reader belongs to a class of readers. */
export interface AudienceRequirement {
  readonly type: 'x-audience'
  /** The reader belongs to at least one of these. */
  readonly any_of: readonly string[]
  /** The reader belongs to none of these. */
  readonly none_of?: readonly string[] | undefined
}
