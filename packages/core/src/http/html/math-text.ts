import type { Data, Processor } from 'unified'

type Extension = NonNullable<Data['micromarkExtensions']>[number]
type Construct = Extract<NonNullable<Extension['text']>[number], { readonly tokenize: unknown }>
type Tokenizer = Construct['tokenize']
type Context = ThisParameterType<Tokenizer>
type State = ReturnType<Tokenizer>
type Code = Parameters<State>[0]

const DOLLAR = 36
const BACKSLASH = 92

const isLineEnding = (code: Code): boolean => code !== null && code < -2
const isSpace = (code: Code): boolean => code === null || code === 32 || code < 0
const isDigit = (code: Code): boolean => code !== null && code >= 48 && code <= 57

// Where the search for an end failed: until there, no later beginning can succeed. Without it, a text of many beginnings
// would take quadratic time.
const failures = new WeakMap<Context, { inline: number; display: number }>()

/**
 * Tokenizes `$a_b$` on one line and `$$a_b$$` as text, so that no Markdown is found inside. As in Pandoc, a formula between
 * single dollars neither begins nor ends with a space, and no digit follows it, so that prices stay prices.
 */
const tokenize: Tokenizer = function (effects, ok, nok) {
  const failed = failures.get(this) ?? { inline: -1, display: -1 }
  failures.set(this, failed)
  const kind = (size: number) => (size === 2 ? 'display' : 'inline')
  const { now } = this
  let size = 0
  let run = 0
  let previous: Code = null

  const give = (code: Code): State | undefined => {
    failed[kind(size)] = now().offset
    return nok(code)
  }

  const start: State = (code) => {
    effects.enter('data')
    return opening(code)
  }
  const opening: State = (code) => {
    if (code === DOLLAR) {
      size += 1
      effects.consume(code)
      return opening
    }
    if (size > 2 || now().offset < failed[kind(size)]) return nok(code)
    if (size === 1 && isSpace(code)) return nok(code)
    return inside(code)
  }
  const inside: State = (code) => {
    if (code === null || (size === 1 && isLineEnding(code))) return give(code)
    if (isLineEnding(code)) {
      effects.exit('data')
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      return nextLine
    }
    if (code === DOLLAR) {
      run = 0
      return closing(code)
    }
    previous = code
    effects.consume(code)
    return code === BACKSLASH ? escaped : inside
  }
  const nextLine: State = (code) => {
    if (code === null) return give(code)
    effects.enter('data')
    return inside(code)
  }
  const escaped: State = (code) => {
    if (code === null || isLineEnding(code)) return inside(code)
    previous = code
    effects.consume(code)
    return inside
  }
  const closing: State = (code) => {
    if (code === DOLLAR) {
      run += 1
      effects.consume(code)
      return closing
    }
    if (run === size && (size === 2 || (!isSpace(previous) && !isDigit(code)))) {
      effects.exit('data')
      return ok(code)
    }
    previous = DOLLAR
    return inside(code)
  }
  return start
}

/** Keeps formulas between dollars as they were written: `*` and `_` in them have no effect. */
export function keepMath(this: Processor): void {
  const data = this.data()
  data.micromarkExtensions ??= []
  data.micromarkExtensions.push({ text: { [DOLLAR]: { name: 'mathText', tokenize } } })
}
