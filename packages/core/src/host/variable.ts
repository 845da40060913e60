import { z } from 'zod'

/** An environment variable of a host: how it is parsed, and what people read about it. */
export interface Variable<Value = unknown> {
  /** Its messages follow the name of the variable: `is not a port number`. */
  readonly schema: z.ZodType<Value, string>
  /** What to write: completes an error, and is the row of the reference. */
  readonly help: string
  /** Whether its value is never printed. */
  readonly secret: boolean
  /** The value in `.env.example`. */
  readonly example: string
  /** The lines before it in `.env.example`: what it and the variables after it are for. */
  readonly comment?: string | undefined
  /** Whether `.env.example` sets it, instead of showing it in a comment. Default: false. */
  readonly isPreset?: boolean | undefined
}

/** The variables of an adapter, by name. */
export type VariableTable = Readonly<Record<string, Variable>>

/** The parsed values of the variables that are set. */
export type ValuesOf<Table extends VariableTable> = {
  readonly [Name in keyof Table]?: z.output<Table[Name]['schema']> | undefined
}

/** What `.env.example` has about a variable. */
type Shown = Pick<Variable, 'comment' | 'isPreset'>

/**
 * Defines a variable whose value may be printed.
 *
 * @param schema - its messages follow the name of the variable: `is not a port number`
 * @param help - what to write, as the end of an error
 * @param example - the value in `.env.example`
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * TAPES_URL: openVariable(webUrl, 'where the tapes are', 'https://tapes.example.com')
 */
export const openVariable = <Value>(
  schema: z.ZodType<Value, string>,
  help: string,
  example = '',
  shown: Shown = {},
): Variable<Value> => ({ schema, help, example, secret: false, ...shown })

/**
 * Defines a variable whose value is never printed. Parameters as in {@link openVariable}.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * TAPES_KEY: secretVariable(word, 'the key of the tapes')
 */
export const secretVariable = <Value>(
  schema: z.ZodType<Value, string>,
  help: string,
  example = '',
  shown: Shown = {},
): Variable<Value> => ({ schema, help, example, secret: true, ...shown })

/**
 * Text that matches a pattern.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * matching(/^tape-\d+$/, 'is not the name of a tape')
 */
export const matching = (pattern: RegExp, error: string) => z.string().regex(pattern, error)

/**
 * One of some words.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * oneOf('on', 'off')
 */
export const oneOf = <const Word extends string>(...words: readonly Word[]) =>
  z.enum(words, { error: `is none of ${words.join(', ')}` })

/** Visible ASCII characters without a space, as in keys and names of accounts. */
export const word = matching(/^[\x21-\x7e]+$/, 'has a space, or characters that are not ASCII')

/**
 * A whole number between two others. `what` completes `is not a number of …`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * wholeNumber('connections', 2, 1_000)
 */
export const wholeNumber = (what: string, from: number, to: number) =>
  matching(/^\d{1,7}$/, `is not a number of ${what}`)
    .transform(Number)
    .refine((number) => number >= from && number <= to, `is not between ${from} and ${to}`)

/**
 * The parts of a list that is separated by commas, each checked by a schema.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * listOf(webUrl)
 */
export const listOf = <Value>(part: z.ZodType<Value, string>) =>
  z
    .string()
    .transform((text) => text.split(',').map((each) => each.trim()))
    .pipe(z.array(part))

/**
 * JSON that a schema checks. Other text is passed on unchanged, for that schema to reject.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * jsonOf(z.object({ name: z.string() }))
 */
export const jsonOf = <Value>(content: z.ZodType<Value>) =>
  z
    .string()
    .transform((text): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        return text
      }
    })
    .pipe(content)

/** The number of a TCP port. */
export const port = matching(/^\d{1,5}$/, 'is not a port number')
  .transform(Number)
  .refine((number) => number <= 65_535, 'is not a port number')

/** An address of the web. */
export const webUrl = z.url({ protocol: /^https?$/, error: 'is not an http:// or https:// address' })

/** Removes the slashes at the end of an address, which must have neither query nor fragment. */
export const withoutSlash = (url: typeof webUrl) =>
  url.refine((text) => !/[?#]/.test(text), 'has a query or a fragment').transform((text) => text.replace(/\/+$/, ''))

/** An address to which paths are appended. */
export const baseUrl = withoutSlash(webUrl)
