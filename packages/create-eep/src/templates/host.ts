import type { Feature } from '../feature.ts'
import type { Plan } from '../plan.ts'

/** Options of features that variables of the host configure. Other features need none. */
const OPTIONS: Readonly<Record<string, readonly [part: string, ...parts: string[]]>> = {
  oauth: ['providers: oauthProviders'],
  subscriptions: ['billing'],
  search: ['index', 'embedder'],
  files: ['blobStore', 'scanner'],
  media: ['transcriber'],
}
const PARTS = ['oauthProviders', 'billing', 'index', 'embedder', 'blobStore', 'scanner', 'transcriber'] as const

const optionsOf = (name: string): string => (OPTIONS[name] ? `{ ${OPTIONS[name].join(', ')} }` : '')

/** The parts that the options of features read. */
const partsOf = (names: readonly string[]): readonly string[] =>
  PARTS.filter((part) =>
    names.some((name) => (OPTIONS[name] ?? []).some((option) => new RegExp(`\\b${part}\\b`).test(option))),
  )

/** The lines that import features, one for each entry. */
export function featureImports(features: readonly Feature[]): string {
  const entries = Map.groupBy(features, ({ entry }) => entry)
  return [...entries]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(
      ([entry, found]) =>
        `import { ${found
          .map(({ name }) => name)
          .toSorted()
          .join(', ')} } from '${entry}'\n`,
    )
    .join('')
}

/** The body of `modules`, made of the parts of the host. */
function modulesOf(features: Plan['features']): string {
  if (features === 'everything') {
    const names = Object.keys(OPTIONS)
    const options = names.map((name) => `      ${name}: ${optionsOf(name)},\n`).join('')
    return `  modules: ({ ${PARTS.join(', ')} }) =>\n    everything({\n${options}    }),\n`
  }
  if (features.length === 0) return ''
  const parts = partsOf(features.map(({ name }) => name))
  const input = parts.length === 0 ? '()' : `({ ${parts.join(', ')} })`
  const lines = features.map(({ name }) => `    ${name}(${optionsOf(name)}),\n`).join('')
  return `  modules: ${input} => [\n${lines}  ],\n`
}

/** The rails whose adapters the host has. The sandbox has play money of both forms. */
export const adaptersOf = (rails: Plan['rails']): Plan['rails'] => (rails.length === 0 ? ['x402', 'stripe'] : rails)

/** `src/host.ts`: what the service consists of. */
export function hostFile({ rails, features }: Pick<Plan, 'rails' | 'features'>): string {
  const adapters = adaptersOf(rails)
  const names = ['postgres', ...adapters.map((rail) => (rail === 'x402' ? 'x402' : 'card'))]
  return `// What this service consists of: the packages that variables configure, its features, and what it begins with.
import { fromVariables as postgres } from '@eep/adapters-postgres/host'
${features === 'everything' ? "import { everything } from '@eep/core/everything'\n" : featureImports(features)}import type { HostDefinition } from '@eep/core/host'
${adapters.includes('stripe') ? "import { fromVariables as card } from '@eep/payments-card/host'\n" : ''}${adapters.includes('x402') ? "import { fromVariables as x402 } from '@eep/payments-x402/host'\n" : ''}import { firstPage } from './first-page.ts'

export const host: HostDefinition = {
  adapters: [${names.join(', ')}],
${modulesOf(features)}  demo: firstPage,
}
`
}

/** `src/main.ts`: starts the service. */
export const mainFile =
  (): string => `// Starts the service. Environment variables configure it; \`npm run eep -- doctor\` checks them.
import { runHost } from '@eep/core/host'
import { host } from './host.ts'

await runHost(host)
`
