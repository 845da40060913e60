// Reads the fenced blocks of a page, and compares the output that a page shows with what a command prints.

/** A fenced block of a page. */
export interface Block {
  /** The word after the opening fence, such as `sh`, `console` or `ts`. */
  readonly language: string
  /** The HTML comment on the line before the block, without its marks. */
  readonly comment: string
  /** The heading above the block. */
  readonly heading: string
  readonly text: string
}

/** A command of a `console` block, and the output shown below it. */
export interface ShownCommand {
  readonly command: string
  readonly output: string
}

/** Returns the fenced blocks of a page in order. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = []
  let heading = ''
  for (const match of page.matchAll(/^#+ (.+)$|(?:^<!-- (.+) -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const [, title, comment = '', language, text = ''] = match
    if (title !== undefined) heading = title
    if (language !== undefined) blocks.push({ language, comment, heading, text })
  }
  return blocks
}

/** Returns the commands of a `console` block: each line that begins with `$`, with the lines below it. */
export function shownCommands(block: Block): readonly ShownCommand[] {
  return block.text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.split('\n')
      return { command, output: output.join('\n') }
    })
}

/** What differs between two runs, with the word that replaces it on both sides. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/0x[0-9a-f]{64}\b/g, '<transaction>'],
  [/(?<=signed {3}.* from )0x[0-9a-fA-F]{40}\b/g, '<buyer>'],
  [/\brcpt_[\w-]{32}/g, '<receipt>'],
  [/(?<=by key )[\w-]{43}\b/g, '<key>'],
  [/\b\d+\.\d s\b/g, '<duration>'],
  [/(?<="id":)\d+/g, '<id>'],
  [/\r/g, ''],
]

const masked = (text: string): string =>
  VARYING.reduce((left, [pattern, word]) => left.replaceAll(pattern, word), text).trim()

/**
 * Whether a command printed what the page shows. `…` stands for anything, alone on a line for any number of lines; times and random
 * identifiers may differ.
 */
export function isShown(shown: string, printed: string): boolean {
  const [first = '', ...parts] = masked(shown).replaceAll(/\n…$/gm, '…').split('…')
  const last = parts.pop()
  let rest = masked(printed)
  if (last === undefined) return rest === first
  if (!rest.startsWith(first)) return false
  rest = rest.slice(first.length)
  for (const part of parts) {
    const at = rest.indexOf(part)
    if (at < 0) return false
    rest = rest.slice(at + part.length)
  }
  return rest.endsWith(last)
}
