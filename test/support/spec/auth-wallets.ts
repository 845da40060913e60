import { expect } from 'vitest'
import { PUBLIC_URL } from '../app.ts'
import { keyOf, nonceFor, siweMessage } from '../wallets.ts'
import { CHAIN, fixture, get, newUser, onBare, post, remove, time } from './fixture.ts'
import { codeIs, done, type Headers, is, moment, type Row, row, text } from './row.ts'

const MINUTE = 60_000

let wallet = 0
async function siweBody(as: Headers, changes: Record<string, string> = {}) {
  const message = siweMessage(keyOf(++wallet), await nonceFor(fixture.app, { ...as }), changes)
  return { message, signature: '0x01' }
}
const linked = async (as: Headers): Promise<string> =>
  (await post('/auth/siwe/verify', as, await siweBody(as))).json().account_wallet_id
async function boundWallet(as: Headers): Promise<string> {
  const id = await linked(as)
  const chosen = await post('/manage/payouts', as, { account_wallet_id: id, network: `eip155:${CHAIN}` })
  if (chosen.statusCode !== 201) throw new Error(chosen.body)
  return id
}

const walletRecord = {
  account_wallet_id: text,
  address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
  chain_id: CHAIN,
  caip2_network: `eip155:${CHAIN}`,
  verified_at: moment,
}

const isOff = codeIs('wallet_flow_disabled')

/** Wallets of accounts. */
export const authWallets: readonly Row[] = [
  row(
    'POST /auth/siwe/nonce',
    'bearer',
    is(200, 'a session', (as) => post('/auth/siwe/nonce', as), {
      nonce: text,
      domain: 'profiles.example',
      uri: PUBLIC_URL,
      expires_at: moment,
    }),
    is(503, 'the wallet flow being off', (as) => onBare('POST', '/auth/siwe/nonce', as), undefined, isOff),
  ),
  row(
    'POST /auth/siwe/verify',
    'bearer',
    is(200, 'a signed message', async (as) => post('/auth/siwe/verify', as, await siweBody(as)), walletRecord),
    is(400, 'a text that is not such a message', (as) =>
      post('/auth/siwe/verify', as, { message: 'Hello', signature: '0x01' }),
    ),
    is(400, 'a foreign domain', async (as) =>
      post('/auth/siwe/verify', as, await siweBody(as, { domain: 'evil.example' })),
    ),
    is(400, 'a foreign chain', async (as) => post('/auth/siwe/verify', as, await siweBody(as, { chainId: '5' }))),
    is(401, 'a wrong signature', async (as) =>
      post('/auth/siwe/verify', as, { ...(await siweBody(as)), signature: '0x02' }),
    ),
    is(409, 'a message that comes again', async (as) => {
      const body = await siweBody(as)
      await post('/auth/siwe/verify', as, body)
      return post('/auth/siwe/verify', as, body)
    }),
    is(409, 'a nonce that has expired', async () => {
      const past = Date.now() - 11 * MINUTE
      const { headers, body } = await time.at(past, async () => {
        const { headers } = await newUser()
        return { headers, body: await siweBody(headers, { issuedAt: new Date(past).toISOString() }) }
      })
      return post('/auth/siwe/verify', headers, body)
    }),
    is(
      503,
      'the wallet flow being off',
      async (as) => onBare('POST', '/auth/siwe/verify', as, await siweBody(as)),
      undefined,
      isOff,
    ),
  ),
  row(
    'GET /auth/siwe/wallets',
    'bearer',
    is(
      200,
      'a session',
      async () => {
        const { headers } = await newUser()
        await linked(headers)
        return get('/auth/siwe/wallets', headers)
      },
      { wallets: [walletRecord] },
    ),
    is(200, 'the wallet flow being off', async () => onBare('GET', '/auth/siwe/wallets', (await newUser()).headers), {
      wallets: [],
    }),
  ),
  row(
    'DELETE /auth/siwe/wallets/{id}',
    'bearer',
    is(200, 'a wallet', async (as) => remove(`/auth/siwe/wallets/${await linked(as)}`, as), done),
    is(409, 'a wallet that is paid out to', async (as) => remove(`/auth/siwe/wallets/${await boundWallet(as)}`, as)),
    ...['1', 'true'].map((force) =>
      is(200, `such a wallet with force=${force}`, async (as) =>
        remove(`/auth/siwe/wallets/${await boundWallet(as)}?force=${force}`, as),
      ),
    ),
    ...['0', 'false'].map((force) =>
      is(409, `such a wallet with force=${force}`, async (as) =>
        remove(`/auth/siwe/wallets/${await boundWallet(as)}?force=${force}`, as),
      ),
    ),
  ),
]
