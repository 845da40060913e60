import type { OAuthProvider, WalletVerifier } from '@eep/core/ports'
import { sandbox } from '@eep/core/sandbox'
import { cashRail } from '@eep/core/testing'
import { makeAdministrator, PASSWORD, signUp } from './accounts.ts'
import type { TestAppOptions } from './app.ts'
import { advice, bodyOf, price } from './deals.ts'
import { field, fileOf, upload } from './files.ts'
import { createCashApp, openShop, shopGate } from './shop.ts'

export interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  /** Of a member that may be null. */
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly maxLength?: number
  readonly maxItems?: number
}

export interface Operation {
  readonly 'x-auth': string
  readonly 'x-scope'?: string
  readonly 'x-recent-proof'?: true | 'in_page' | 'sometimes'
  readonly security: readonly object[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: JsonSchema } } }
}

const providerNamed = (name: string): OAuthProvider => ({
  name,
  start: async ({ state }) => ({ url: `https://${name}.example/authorize?state=${state}`, memory: {} }),
  finish: () => Promise.reject(new Error('no provider in this test')),
})
const noWallets: WalletVerifier = { chainIds: [1], verify: async () => false }

/** A body with what a browser returns of a passkey. */
const credentialOf = (response: object) => ({
  response: { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { clientDataJSON: 'e30', ...response } },
})

const NAMES: Record<string, string> = {
  memberId: '00000000-0000-4000-8000-000000000000',
  inviteId: '999999999',
  entryId: '999999999',
  token: 'x'.repeat(43),
  provider: 'github',
  did: 'did:web:profiles.example:u:inspected',
  prefix: 'u',
  suffix: 'json',
  username: 'inspected',
  slug: 'inspected',
  checkoutId: 'x'.repeat(22),
}

/** A service with one of everything that routes name, and valid requests for all routes of its OpenAPI document. */
export async function openEveryRoute(options: TestAppOptions = {}) {
  const test = await createCashApp({
    withSearch: true,
    modules: [sandbox()],
    payments: { rails: [{ ...cashRail(), moneyKind: 'sandbox' }] },
    auth: { walletVerifier: noWallets },
    oauth: { providers: ['github', 'google', 'oidc'].map(providerNamed) },
    memory: { summarizer: { summarize: async () => 'A summary' } },
    ...options,
  })
  const shop = await openShop(test.app, 'inspected')
  const otherUser = (await signUp(test.app, 'other-user')).headers
  const chief = await signUp(test.app, 'chief')
  await makeAdministrator(test, chief)
  const admin = chief.headers
  const json = async (url: string) => (await shop.get(url)).json()
  const pageId = (await json(`/manage/pages?profile_id=${shop.profileId}`)).data[0].id
  const categories = await json(`/manage/categories?profile_id=${shop.profileId}`)
  const categoryId = (categories.data ?? categories.categories ?? categories)[0].id
  const sent = await upload(test.app, [field('username', 'inspected'), fileOf('Hello.')], shop.headers)
  const fileId = sent.json().id
  const workspaceId = (await shop.post('/workspaces', { name: 'Notes' })).json().id
  const session = { profile_id: shop.profileId, ttl_seconds: 86_400 }
  const sessionId = (await shop.post('/memory/sessions', session)).json().id
  const documentId = (await shop.post(`/workspaces/${workspaceId}/documents`, { title: 'A document' })).json().id
  const { paths } = await json('/docs/openapi.json')
  const operations = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  )

  /** A body that each route takes. A route with a body that is missing here fails the first test. */
  const goodBody = (operation: string): object | undefined => {
    const bodies: Record<string, object> = {
      'POST /auth/register': { email: 'someone@example.com', password: PASSWORD, username: 'someone-new' },
      'POST /auth/login': { email: 'inspected@example.com', password: PASSWORD },
      'POST /auth/forgot-password': { email: 'inspected@example.com' },
      'POST /auth/reset-password': { token: 'x'.repeat(43), password: PASSWORD },
      'POST /auth/email': { new_email: 'inspected@example.com' },
      'POST /auth/prove': { password: PASSWORD },
      'POST /auth/passkeys/prove': credentialOf({ authenticatorData: 'AA', signature: 'AA' }),
      'POST /auth/email/confirm': { token: 'x'.repeat(43) },
      'POST /auth/email/undo': { token: 'x'.repeat(43) },
      'POST /auth/verify': { token: 'x'.repeat(43) },
      'PUT /auth/change-password': { current_password: 'Wrong password 1', new_password: PASSWORD },
      'DELETE /auth/account': { password: 'Wrong password 1' },
      'POST /profiles': { profile_type: 'place', username: 'somewhere', type_data: {} },
      'PUT /profiles/{prefix}/{username}': { full_name: 'A name' },
      'PUT /admin/feed/{id}': { hidden: true },
      'PUT /admin/users/{id}/posting': { open: true },
      'POST /feed': { body: 'An update' },
      'POST /feed/{id}/reactions': { kind: 'like' },
      'PUT /profiles/{id}/visibility': { visibility: 'public' },
      'PUT /profiles/{id}/capabilities': { capabilities: ['contactable'] },
      'DELETE /data/claims/{claim_id}': {
        claim_id: 'claim-7',
        agent_did: 'did:key:z6MkAgent',
        reason: 'revoke_consent',
        issued_at: '2026-01-02T03:04:05Z',
        nonce: 'a nonce of some length',
        signature: 'A'.repeat(86),
      },
      'POST /eep/gates/{did}/sessions/revoke': { agent_did: 'did:key:z6MkAgent' },
      'PUT /profiles/{id}/smart-sections': { sections: [{ key: 'jobs', title: 'Jobs', body: 'Open to offers' }] },
      'PUT /manage/profile': { bio: 'Hello.' },
      'POST /profiles/{id}/team/invites': { email: 'guest@example.com', role: 'viewer' },
      'PUT /profiles/{id}/team/{memberId}': { role: 'viewer' },
      'POST /profiles/{id}/transfers': { recipient_username: 'other-user' },
      'POST /manage/categories': { profile_id: shop.profileId, name: 'More' },
      'PUT /manage/categories/{id}': { name: 'Notes' },
      'POST /manage/pages': { profile_id: shop.profileId, title: 'Another', body: 'Text' },
      'PUT /manage/pages/{id}': { title: 'Retitled' },
      'POST /manage/preview': { profile_id: shop.profileId, body: 'Body' },
      'PUT /manage/pages/{id}/draft': { title: 'Title', body: 'Body' },
      'POST /manage/pages/{id}/draft/publish': { publish_at: new Date(Date.now() + 3_600_000).toISOString() },
      'POST /manage/reorder': { kind: 'pages', profile_id: shop.profileId, ids: [pageId] },
      'POST /content/pages/{pageId}/reactions': { kind: 'like' },
      'PUT /eep/gates/{did}': shopGate(),
      'PUT /manage/prices/{resource}': { amount: 0.01, currency: 'usdc', per: 'once', allow: 'unpayable' },
      'POST /eep/gates/{did}/presets/crawlers_pay': { amount: 0.01, currency: 'usdc', access: ['content.welcome'] },
      'POST /manage/entitlements': {
        profile_id: shop.profileId,
        tier: 'reader',
        payer_wallet: 'wallet:friend',
        payer_network: 'cash:test',
      },
      'POST /eep/payment/recovery': { email: 'buyer@example.com' },
      'POST /eep/payment/recovery/wallet': { message: 'profiles.example wants', signature: `0x${'00'.repeat(65)}` },
      'POST /eep/payment/receipts/{receiptId}/refund': { reason: 'Not as described' },
      'POST /eep/payment/x402/payment-required': { did: shop.did, resource: 'content.notes.engines', tier: 'reader' },
      'POST /eep/payment/x402/settle': {
        payment_signature: 'e30=',
        did: shop.did,
        resource: 'content.notes.engines',
        tier: 'reader',
      },
      'POST /eep/payment/stripe/mpp/settle': {
        did: shop.did,
        resource: 'content.notes.engines',
        tier: 'reader',
        shared_payment_token: 'spt_nothing',
      },
      'POST /eep/payment/stripe/checkout-human': { did: shop.did, resource: 'content.notes.engines', tier: 'reader' },
      'POST /eep/payment/challenge': {
        pay_to_did: shop.did,
        resource: 'content.notes.engines',
        amount: 0.01,
        currency: 'usdc',
      },
      'PUT /admin/settings/subscription-pricing/{tier}': { trial_days: 7 },
      'PUT /admin/users/{id}': { tier: 'pro' },
      'PATCH /account/subscription': { tier: 'team' },
      'POST /checkout/usdc-receipt': { tier: 'pro', challenge: 'a.b.c', payment_proof: { x402Version: 2 } },
      'POST /eep/gates/{did}/verify-proof': { resource: 'content.welcome', proofs: [] },
      'POST /eep/delegation/verify': { credential: 'eyJhbGciOiJFZERTQSJ9.e30.AA' },
      'POST /eep/services/{did}': advice(),
      'PUT /eep/services/{did}/{id}': advice(),
      'POST /eep/services/{did}/reviews': { service_id: 'svc_nothing', score: 5 },
      'POST /eep/commerce/negotiations': { seller_did: shop.did, service: 'Advice', pricing: price(9) },
      ...Object.fromEntries(
        ['counter', 'accept', 'reject', 'expire', 'invoice', 'receipt', 'complete', 'dispute'].map((action) => [
          `POST /eep/commerce/negotiations/{id}/${action}`,
          bodyOf(action) ?? { reason: 'As we said' },
        ]),
      ),
      'POST /eep/trust/graduate': { agent_did: 'did:key:z6MkNobody' },
      'POST /eep/subscribe': {
        source_did: shop.did,
        event_types: ['content.*'],
        delivery_method: 'webhook',
        delivery_url: 'https://receiver.example/hook',
      },
      'POST /eep/subscriptions/{id}/redeliver': { event_ids: ['1'] },
      'POST /eep/subscriptions/{id}/replay': { since: '2026-01-01T00:00:00Z' },
      'POST /messages/conversations': { to: 'u/other-user', body: 'Hello' },
      'POST /messages/conversations/{id}/messages': { body: 'Hello' },
      'POST /messages/conversations/{id}/read': { up_to: '00000000-0000-4000-8000-000000000000' },
      'POST /messages/conversations/{id}/report': { reason: 'Spam' },
      'POST /feed/{id}/report': { reason: 'Spam' },
      'PUT /admin/reports/{id}': { status: 'resolved' },
      'POST /notifications/read': { ids: ['00000000-0000-4000-8000-000000000000'] },
      'PUT /notifications/preferences': { preferences: [{ kind: 'follow', in_app: true }] },
      'POST /api-keys': { name: 'A key' },
      'POST /workspaces': { name: 'Notes' },
      'PUT /workspaces/{id}': { name: 'Other notes' },
      'POST /workspaces/{id}/invites': { email: 'guest@example.com', role: 'reader' },
      'PUT /workspaces/{id}/members/{memberId}': { role: 'reader' },
      'POST /memory/sessions': { profile_id: shop.profileId, ttl_seconds: 60 },
      'POST /memory/sessions/{id}/entries': { role: 'user', content: 'A note' },
      'PATCH /memory/sessions/{id}/entries/{entryId}': { importance: 1 },
      'POST /memory/sessions/{id}/search': { query: 'note' },
      'POST /memory/sessions/{id}/recall': { query: 'note', token_budget: 100 },
      'POST /memory/sessions/{id}/summary': {},
      'POST /workspaces/{id}/documents': { title: 'A document', body: 'Text' },
      'PUT /workspaces/{id}/documents/{docId}': { title: 'Retitled' },
      'POST /workspaces/{id}/documents/{docId}/comments': { body: 'Well said' },
      'POST /workspaces/{id}/documents/{docId}/publish': { profile_id: shop.profileId },
      'POST /auth/siwe/verify': { message: 'profiles.example wants you to sign in', signature: '0x00' },
      'PATCH /auth/me': { language: 'de' },
      'PUT /manage/profiles/{id}/apps': { apps: 'owner_only' },
      'PUT /account/apps/{id}': { scopes: ['read:content'] },
      'POST /oauth/register': { redirect_uris: ['http://localhost:3000/callback'] },
      'POST /auth/login/second-factor': { token: 'x'.repeat(43), code: '000000' },
      'POST /auth/second-factor/confirm': { code: '000000' },
      'DELETE /auth/second-factor': { code: '000000' },
      'POST /auth/passkeys': credentialOf({ attestationObject: 'oA' }),
      'POST /auth/passkeys/login': credentialOf({ authenticatorData: 'AA', signature: 'AA' }),
      'PATCH /auth/passkeys/{id}': { name: 'Laptop' },
      'POST /auth/passkeys/registration/options': { password: PASSWORD },
      'DELETE /auth/passkeys': { password: PASSWORD },
      'DELETE /auth/passkeys/{id}': { password: PASSWORD },
      'PATCH /manage/files/{id}': { filename: 'notes.txt', alt: 'Notes' },
      'POST /convert': { file_id: fileId, to: 'text' },
      'POST /export': { profile_id: shop.profileId, format: 'json' },
      'POST /scanner': { url: 'https://site.invalid/' },
      'POST /mcp': { jsonrpc: '2.0', id: 1, method: 'ping' },
      'POST /mcp/account': { jsonrpc: '2.0', id: 1, method: 'ping' },
      'POST /media': { file_id: fileId, language: 'en' },
      'POST /sandbox/checkout/{checkoutId}': { answer: 'pay' },
      'POST /sandbox/faucet': { address: `0x${'12'.repeat(20)}` },
      'POST /sandbox/tokens': {
        paymentMethod: 'pm_sandbox_ok',
        amount: '500',
        currency: 'usd',
        networkId: 'sandbox',
        expiresAt: Math.floor(Date.now() / 1000) + 3_600,
      },
      'POST /manage/payouts/undo': { token: 'x'.repeat(43) },
      'POST /manage/payouts': { account_wallet_id: '00000000-0000-4000-8000-000000000000', network: 'eip155:1' },
    }
    return bodies[operation]
  }

  /** The path with parameters of something that exists. */
  const goodPath = (path: string): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'id' && (path.startsWith('/files') || path.startsWith('/manage/files'))) return String(fileId)
      if (name === 'fileId') return String(fileId)
      if (name === 'docId') return documentId
      if (name === 'id' && path.startsWith('/workspaces')) return workspaceId
      if (name === 'id' && path.startsWith('/memory')) return sessionId
      if (name === 'id' && path.startsWith('/profiles')) return String(shop.profileId)
      if (name === 'id') return String(path.includes('categories') ? categoryId : pageId)
      if (name === 'version') return '1'
      if (name === 'pageId') return String(pageId)
      return NAMES[name] ?? 'nothing'
    })

  const send = (method: string, url: string, payload: unknown, headers: Record<string, string> = shop.headers) =>
    test.app.inject({
      method: method as 'GET',
      url,
      headers: payload === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    })

  /** The headers of a caller that may use a route. */
  const callersOf = (operation: Operation) => (operation['x-auth'] === 'admin' ? admin : shop.headers)

  return {
    app: test.app,
    storage: test.storage,
    close: () => test.close(),
    operations,
    shop,
    otherUser,
    admin,
    /** What the owner has. */
    ids: { pageId, categoryId, fileId, workspaceId, documentId },
    goodBody,
    goodPath,
    send,
    callersOf,
  }
}
