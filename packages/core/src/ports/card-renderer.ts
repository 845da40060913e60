/** What a picture of previews shows, and its colors, as CSS hexadecimal. */
export interface CardTexts {
  readonly name: string
  /** The name of the service. */
  readonly service: string
  readonly ground: string
  /** The color of text on the ground. */
  readonly on: string
}

/** Draws the pictures that other sites show beside links to profiles, for example `shareCards()` of `@eep/core/files`. */
export interface CardRenderer {
  /**
   * Draws a PNG image of 1200 by 630 pixels. Names with letters that its font lacks are left out. Returns undefined when the renderer is
   * busy or fails. Throws the error of `portrait`; the card is then not cached.
   *
   * @param version - the same for the same card, which is drawn once
   * @param owner - the account of the profile, for the limit of pending cards
   * @param portrait - reads an image to show beside the name; undefined for none. Called for cards that are not known yet
   */
  render(
    texts: CardTexts,
    card: {
      readonly version: string
      readonly owner: string
      readonly portrait: () => Promise<Uint8Array | undefined>
    },
  ): Promise<Uint8Array | undefined>
}
