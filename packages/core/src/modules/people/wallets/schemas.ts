import { z } from 'zod'
import { evmNetwork } from '../../../kernel/network.ts'
import type { Payout, Wallet } from '../../../ports/storage/wallets.ts'
import type { WalletChallenge } from './service.ts'
import { MAX_MESSAGE_LENGTH } from './siwe-message.ts'

/** Contracts decide how long the signatures of their wallets are; 4 KB is enough for wallets with many owners. */
const MAX_SIGNATURE_LENGTH = 8_194

export const challengeSchema = z
  .object({
    nonce: z.string(),
    domain: z.string(),
    uri: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'WalletChallenge' })

export const linkBody = z.strictObject({
  message: z
    .string()
    .min(1)
    .max(MAX_MESSAGE_LENGTH)
    .regex(/^[^\0]*$/, 'Without NUL')
    .describe('The whole text of the message (EIP-4361), as it was signed'),
  signature: z
    .string()
    .max(MAX_SIGNATURE_LENGTH)
    .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'Must be 0x and whole bytes in hexadecimal digits'),
})

export const walletSchema = z
  .object({
    account_wallet_id: z.uuid(),
    address: z.string(),
    chain_id: z.int(),
    caip2_network: z.string(),
    verified_at: z.iso.datetime(),
  })
  .meta({ id: 'Wallet' })

export const walletsSchema = z.object({ wallets: z.array(walletSchema) }).meta({ id: 'Wallets' })
/** An id that is not a UUID belongs to no wallet. */
export const walletParams = z.object({ id: z.string().min(1).max(128).meta({ format: 'uuid' }) })
export const unlinkQuery = z.object({ force: z.enum(['0', '1', 'true', 'false']).optional() })
export const doneSchema = z.object({ success: z.literal(true) }).meta({ id: 'Success' })

const word = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x21-\x7e]+$/, 'Printable ASCII without spaces')

export const payoutBody = z.strictObject({
  account_wallet_id: z.uuid(),
  network: word.describe('CAIP-2, or `base` or `base-sepolia`').meta({ examples: ['eip155:8453'] }),
  asset: word.optional().describe('Default: the asset of the rail on this network'),
})

export const payoutSchema = z
  .object({
    id: z.int(),
    account_wallet_id: z.uuid().nullable().describe('Null when the wallet was unlinked; the payout is disabled then'),
    network: z.string(),
    asset: z.string(),
    enabled: z.boolean(),
  })
  .meta({ id: 'Payout' })

/** A token of another form is not valid; it is refused as one that has expired. */
export const undoBody = z.strictObject({
  token: z.string().min(1).max(256).describe('From the email about the change'),
})

export const payoutParams = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })

export const serializeChallenge = ({ nonce, domain, uri, expiresAt }: WalletChallenge) => ({
  nonce,
  domain,
  uri,
  expires_at: expiresAt.toISOString(),
})

export const serializeWallet = ({ id, address, chainId, verifiedAt }: Wallet): z.input<typeof walletSchema> => ({
  account_wallet_id: id,
  address,
  chain_id: chainId,
  caip2_network: evmNetwork(chainId),
  verified_at: verifiedAt.toISOString(),
})

export const serializePayout = ({ id, walletId, network, asset, enabled }: Payout): z.input<typeof payoutSchema> => ({
  id,
  account_wallet_id: walletId,
  network,
  asset,
  enabled,
})
