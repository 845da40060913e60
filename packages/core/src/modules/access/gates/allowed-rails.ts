import { caip2Of } from '../../../kernel/network.ts'
import type { PaymentRequirement } from '../../../model/gate-config.ts'
import type { RailInfo } from '../../../ports/payment-rail.ts'

/** The part of a rail that decides which requirements allow it. */
export interface DescribedRail {
  readonly id: string
  readonly info?: RailInfo | undefined
}

/** The network that a requirement allows payments by x402 on, CAIP-2; undefined when it allows all. */
export const allowedNetwork = ({ x402 }: PaymentRequirement): string | undefined =>
  x402?.network && caip2Of(x402.network)

/** The rails that a requirement allows, which may name them by id, protocol or network; null when it allows every rail. */
export function allowedRails<Rail extends DescribedRail>(
  requirement: PaymentRequirement,
  rails: readonly Rail[],
): readonly Rail[] | null {
  const { x402, payment_methods: methods } = requirement
  const network = allowedNetwork(requirement)
  if (x402?.enabled !== false && network === undefined && !methods?.length) return null
  return rails
    .filter(({ info }) => info?.protocol !== 'x402' || x402?.enabled !== false)
    .filter(({ info }) => info?.protocol !== 'x402' || network === undefined || networksOf(info).includes(network))
    .filter(({ id, info }) => !methods?.length || methods.includes(id) || methods.includes(info?.protocol ?? id))
}

const networksOf = ({ accepts }: RailInfo): readonly string[] => accepts.map(({ network }) => network)
