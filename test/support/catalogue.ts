import { type Facilitator, x402Rail } from '@eep/payments-x402'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { client } from './client.ts'
import { RECORDED_NETWORK, recordingFacilitator } from './recording-facilitator.ts'
import { soon } from './wait.ts'

/** A resource of the catalogue. */
export interface Item {
  readonly resource: string
  readonly type: string
  readonly x402Version: number
  readonly accepts: readonly (Readonly<Record<string, unknown>> & {
    readonly network: string
    readonly payTo: string
    readonly extra?: Readonly<Record<string, unknown>>
  })[]
  readonly lastUpdated: string
  readonly description: string
  readonly mimeType?: string
  readonly serviceName?: string
  readonly tags?: readonly string[]
  readonly extensions: Readonly<Record<string, unknown>>
}

/** What the catalogue returns. */
export interface Listed {
  readonly x402Version: number
  readonly items: readonly Item[]
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number }
  readonly unappliedFilters?: readonly string[]
}

/** The other network of {@link catalogueRail}. */
export const OTHER_NETWORK = 'eip155:421614'
export const PLATFORM = '0x00000000000000000000000000000000000000Aa'

/** A rail of stablecoins on two networks, without a chain. */
export const catalogueRail = (
  { facilitator }: { readonly facilitator: Facilitator } = recordingFacilitator(),
  payTo = PLATFORM,
) =>
  x402Rail({
    network: RECORDED_NETWORK,
    payTo,
    facilitator,
    recoveryRpcUrl: false,
    also: [{ network: OTHER_NETWORK, payTo, recoveryRpcUrl: false }],
  })

/** Reads a part of the catalogue. */
export async function catalogueOf(app: TestApp, query: Readonly<Record<string, string>> = {}): Promise<Listed> {
  const response = await client(app).get(`/discovery/resources?${new URLSearchParams(query)}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** The paths of what a profile sells, once the catalogue has exactly these. */
export const untilListed = (app: TestApp, profile: string, paths: readonly string[]) =>
  soon(async () => {
    const { items } = await catalogueOf(app, { profile: profile.replace(/^\//, ''), limit: '100' })
    expect(items.map(({ resource }) => new URL(resource).pathname).toSorted()).toEqual([...paths].toSorted())
  })
