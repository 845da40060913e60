import type { MoneyKind } from '../ports/money-kind.ts'
import type { ServiceValues } from './variables/service.ts'

/** The configuration of a host. */
export interface Configuration {
  /** The parsed values of the variables that are set, by name. */
  readonly values: Readonly<Record<string, unknown>>
  /** The same values, with the types of those that every host has. */
  readonly service: ServiceValues
  readonly production: boolean
  /** How payers prove themselves. Default: `signed` in production, `lookup` in a sandbox, that of the service elsewhere. */
  readonly payerProof: 'lookup' | 'signed' | undefined
  /** Whether all money of the host is play money, which it makes itself. */
  readonly isSandbox: boolean
  /** What the money is worth that the host takes. Undefined when the variables configure no way to pay. */
  readonly moneyKind: MoneyKind | undefined
  /** Where the host stores what it keeps by itself. Default: `.data`, with play and test money a folder in it. */
  readonly dataDir: string
  /** Warnings for standard error, one sentence each. */
  readonly warnings: readonly string[]
}
