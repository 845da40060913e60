/** A feature of the service that is not in its base. */
export interface Feature {
  /** The function that its entry exports: `siteScanner`. */
  readonly name: string
  readonly entry: string
  readonly text: string
  /** The packages that it needs, with their ranges. */
  readonly packages: Readonly<Record<string, string>>
  /** The names of other features that it needs. */
  readonly needs: readonly string[]
}
