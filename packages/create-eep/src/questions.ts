import type { Arguments } from './arguments.ts'
import { FEATURES } from './features.ts'
import {
  checkPlan,
  DATABASES,
  databaseOf,
  featuresOf,
  InvalidInput,
  MONEY,
  moneyOf,
  type Plan,
  packageManagerOf,
  RAILS,
  railsOf,
} from './plan.ts'

/** Asks the person. Each returns undefined when the person cancels. */
export interface Prompts {
  text(message: string, initial: string): Promise<string | undefined>
  choose(message: string, options: readonly Choice[]): Promise<string | undefined>
  chooseMany(message: string, options: readonly Choice[]): Promise<readonly string[] | undefined>
}

/** A choice of a question; the first one is the default. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

/** The person ended the questions. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

const LABELS: Readonly<Record<string, string>> = {
  pglite: 'PGlite, embedded: nothing to install',
  postgres: 'PostgreSQL',
  x402: 'USDC, by x402',
  stripe: 'Cards, through Stripe',
  test: 'Test money',
  real: 'Real money',
}
const choices = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: LABELS[value] ?? value }))

/** Where answers come from that no option gives. */
export interface Answers {
  /** Undefined without a terminal. */
  readonly prompts: Prompts | undefined
  /** The package manager that runs this program. */
  readonly runBy: string
}

async function settled<Value>(asked: Promise<Value | undefined>): Promise<Value> {
  const answer = await asked
  if (answer === undefined) throw new Cancelled()
  return answer
}

/**
 * Decides what to create: by the options, with `--yes` by the defaults, and else by asking.
 *
 * @throws InvalidInput for invalid options, and for missing ones without a terminal
 * @throws Cancelled when the person ends the questions
 */
export async function decide(given: Arguments, { prompts, runBy }: Answers): Promise<Plan> {
  /** Answers a question: by its option, the default of `--yes`, or the person. */
  async function answer(
    flag: string,
    value: string | undefined,
    fallback: string,
    ask: (prompts: Prompts) => Promise<string | undefined>,
  ): Promise<string> {
    if (value !== undefined) return value
    if (given.yes) return fallback
    if (prompts) return settled(ask(prompts))
    throw new InvalidInput(`Without a terminal, ${flag} is needed; --yes takes the defaults`)
  }

  const folder = given.add
    ? (given.folder ?? '.')
    : await answer('a folder', given.folder, 'my-service', (ask) =>
        ask.text('Where should the project be?', 'my-service'),
      )
  const database = databaseOf(
    await answer('--database', given.database, 'pglite', (ask) => ask.choose('Which database?', choices(DATABASES))),
  )
  const rails = railsOf(
    await answer('--payments', given.payments, 'sandbox', (ask) =>
      ask.choose('How does it take money?', [
        { value: 'sandbox', label: 'Sandbox: play money, to begin with' },
        ...choices(RAILS),
        { value: RAILS.join(), label: 'USDC and cards' },
      ]),
    ),
  )
  const money =
    rails.length === 0 && given.money === undefined
      ? undefined
      : moneyOf(
          await answer('--money', given.money, 'test', (ask) =>
            ask.choose('Which kind of money? A database takes one kind for life', choices(MONEY)),
          ),
        )
  checkPlan({ rails, money })
  const modules = await answer('--modules', given.modules, 'everything', async (ask) => {
    const kind = await ask.choose('Which features?', [
      { value: 'everything', label: 'Everything' },
      { value: 'base', label: 'The base: profiles, pages, gates and payments' },
      { value: 'pick', label: 'Let me pick' },
    ])
    if (kind !== 'pick') return kind
    const picked = await ask.chooseMany(
      'Features beside the base',
      FEATURES.map(({ name, text }) => ({ value: name, label: name, hint: text })),
    )
    return picked && (picked.length === 0 ? 'base' : picked.join())
  })
  const packageManager = packageManagerOf(given.packageManager ?? (runBy === 'pnpm' ? 'pnpm' : 'npm'))
  return { folder, isAddition: given.add, database, rails, money, packageManager, features: featuresOf(modules) }
}
