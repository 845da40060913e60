import type { SearchEngine } from '../model/known-agents.ts'
import type { BillingProcessor } from '../ports/billing-processor.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { MetricsRegistry } from '../ports/metrics.ts'
import type { MoneyKind } from '../ports/money-kind.ts'
import type { OAuthProvider } from '../ports/oauth-provider.ts'
import type { PaymentRail } from '../ports/payment-rail.ts'
import type { SandboxSigner } from '../ports/sandbox-signer.ts'
import type { Scanner } from '../ports/scanner.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import type { WalletVerifier } from '../ports/wallet-verifier.ts'
import type { HostDatabase, HostStorage } from './host-database.ts'
import type { Rule } from './rule.ts'
import type { ValuesOf, VariableTable } from './variable.ts'

/** An app that the operator trusts, as the option `clients` of `oauthServer()` has it. */
export interface OAuthClient {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly secretHash?: string | undefined
  readonly jwksUri?: string | undefined
}

/** What adapters make of their variables, for the service of a host. */
export interface HostParts {
  /** In the order of offers in a 402. */
  readonly rails?: readonly PaymentRail[] | undefined
  readonly billing?: BillingProcessor | undefined
  readonly walletVerifier?: WalletVerifier | undefined
  readonly oauthProviders?: readonly OAuthProvider[] | undefined
  readonly blobStore?: BlobStore | undefined
  readonly scanner?: Scanner | undefined
  readonly transcriber?: Transcriber | undefined
  readonly embedder?: Embedder | undefined
  readonly mailer?: Mailer | undefined
  /** The options of the feature `webBotAuth`; false leaves it out. */
  readonly webBotAuth?: { readonly crawlerAddresses: Readonly<Partial<Record<SearchEngine, true>>> } | false | undefined
  /** False leaves out the feature `mcp`. */
  readonly mcp?: false | undefined
  /** The options of the feature `oauthServer`. */
  readonly oauthServer?:
    | { readonly registration?: boolean | undefined; readonly clients?: readonly OAuthClient[] | undefined }
    | undefined
  /** The options of the feature `pricedDiscovery`. */
  readonly pricedDiscovery?:
    | {
        readonly contact?: { readonly url: string } | undefined
        readonly serviceName?: string | undefined
        readonly tags?: string[] | undefined
        readonly categories?: string[] | undefined
      }
    | undefined
  /** Documents for agents that are off by default, in the options of the service. */
  readonly discovery?:
    | Readonly<Partial<Record<'aiCatalog' | 'rsl' | 'webMcp' | 'ask' | 'agentRegistration', true>>>
    | undefined
  /** `port` serves `/metrics` without the token. */
  readonly metrics?:
    | { readonly registry: MetricsRegistry; readonly token: string | undefined; readonly port: number | undefined }
    | undefined
}

type PartsMade = HostParts | undefined

/** What the other variables of a host decide, for the parts of an adapter. */
export interface PartsContext {
  /** The data directory, which may not exist yet. */
  readonly dataDir: string
  /** The secrets of the service, of which the first is used and all verify. */
  readonly secrets: readonly string[]
  /** The public URL if the operator set it. */
  readonly baseUrl: string | undefined
}

/** What the parts of a sandbox are made of. */
export interface SandboxContext {
  /** The open database, which has the play money. */
  readonly storage: HostStorage
  /** The secrets of the service, of which the first is used and all verify. */
  readonly secrets: readonly string[]
  /** What the variables configure. */
  readonly parts: HostParts
}

/** What adapters make for a sandbox. */
export interface SandboxParts extends HostParts {
  /** Signs for the test wallets of browsers. */
  readonly testWallet?: SandboxSigner | undefined
}

/** How a host uses a package: which variables configure it, and what it makes of them. */
export interface HostAdapter<Table extends VariableTable = VariableTable> {
  /** The name of its package. */
  readonly name: string
  /** Its variables. A name belongs to one adapter of a host. */
  readonly variables: Table
  /** Beginnings of names that nothing but these adapters has, such as `S3_`: a name with one of them is misspelled or known. */
  readonly prefixes: readonly string[]
  /** Problems of valid variables in combination, which prevent the start. */
  readonly rules?: readonly Rule<NoInfer<Table>>[] | undefined
  /** What the operator should know, and what does not prevent the start. */
  readonly warnings?: readonly Rule<NoInfer<Table>>[] | undefined
  /** For adapters that can take payments for pages. */
  readonly sells?: {
    /** The variables to set, for a sentence: `STRIPE_SECRET_KEY and STRIPE_PROFILE_ID`. */
    readonly variables: string
    /** Whether they are set. */
    isConfigured(values: ValuesOf<NoInfer<Table>>): boolean
  }
  /**
   * For adapters whose variables can take money: what it is worth, and the variable that decides it. Undefined when they take none. A host
   * takes one kind of money, and each kind has its own data directory.
   */
  takesMoney?(
    values: ValuesOf<NoInfer<Table>>,
  ): { readonly variable: string; readonly moneyKind: MoneyKind } | undefined
  /** The database, for the one adapter of a host that has it. Opens nothing. */
  database?(values: ValuesOf<NoInfer<Table>>, dataDir: string): HostDatabase
  /**
   * Makes the parts that the variables configure, and loads its libraries only for them. Returns undefined when they configure none.
   *
   * @throws ConfigurationError when variables do not fit each other
   */
  parts?(values: ValuesOf<NoInfer<Table>>, context: PartsContext): PartsMade | Promise<PartsMade>
  /**
   * Makes the parts that take play money in a sandbox, once the database is open. They replace those that the variables
   * configure; the libraries are loaded for them only.
   */
  sandbox?(values: ValuesOf<NoInfer<Table>>, context: SandboxContext): SandboxParts | Promise<SandboxParts>
}

/**
 * Defines how hosts use a package; its functions get the values of the variables in its table.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * export const fromVariables = defineHostAdapter({
 *   name: '@example/tapes',
 *   prefixes: ['TAPES_'],
 *   variables: { TAPES_URL: openVariable(webUrl, 'where the tapes are', 'https://tapes.example.com') },
 *   parts: ({ TAPES_URL: url }) => (url === undefined ? undefined : { blobStore: tapes({ url }) }),
 * })
 */
export const defineHostAdapter = <Table extends VariableTable>(adapter: HostAdapter<Table>): HostAdapter<Table> =>
  adapter

/** The variables of an adapter, for people: `X402_*`. */
export const shownVariables = ({ prefixes, name }: Pick<HostAdapter, 'prefixes' | 'name'>): string =>
  prefixes.length === 0 ? `of ${name}` : prefixes.map((prefix) => `${prefix}*`).join(' or ')
