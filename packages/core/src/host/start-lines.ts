/** What the start lines of a sandbox name. */
export interface StartPlaces {
  /** The URL under which the host is reached, without a trailing slash. */
  readonly publicUrl: string
  /** The key of the pages of the sandbox. */
  readonly key: string
  /** The path of a page that can be bought. */
  readonly page: string | undefined
  /** Whether emails are in the mailbox of the sandbox. */
  readonly hasMailbox: boolean
}

/** The lines that a sandbox prints after it listens: where to begin, and its pages with their key. */
export const startLines = ({ publicUrl, key, page, hasMailbox }: StartPlaces): readonly string[] => [
  '',
  'Test mode: no money moves.',
  `Open ${publicUrl}`,
  ...(page === undefined ? [] : [`Buy ${publicUrl}${page}`]),
  `Sell ${publicUrl}/sandbox?key=${key}`,
  ...(hasMailbox ? [`Mail ${publicUrl}/sandbox/mail?key=${key}`] : []),
]
