import { describe, expect, it } from 'vitest'
import { type NotificationInput, pageOfNotification } from '../framework/module/define-notification.ts'
import { LANGUAGES } from '../model/languages.ts'
import { everyModule } from '../testing/every-module.ts'

const definitions = everyModule.flatMap(({ notifications }) => notifications)
const grace = { username: 'grace', path: '/u/grace' }
const frontendUrls = {
  acceptInvitation: 'https://a.example/team',
  acceptWorkspaceInvitation: 'https://a.example/workspace',
  transfers: 'https://a.example/transfers',
  notifications: 'https://a.example/notifications',
  plan: 'https://a.example/plan',
}
const webhook = { id: 'w1', host: 'b.example', missedSince: '2027-01-31T00:00:00Z' }
const app = { connectionId: 'c1', name: 'Loom', host: 'loom.example' }
const deal = { negotiationId: 'n1', version: 1 }

/** Stored data of each kind. */
const DATA: Readonly<Record<string, readonly object[]>> = {
  app_connected: [
    { ...app, isVerified: true, scopes: ['read:content', 'write:content'] },
    { ...app, host: null, isVerified: false, scopes: ['read:content'] },
  ],
  app_token_reused: [app],
  app_spend_limit: ['purchase', 'day', 'month', 'account_month'].map((limit) => ({ ...app, limit })),
  negotiation: [
    { ...deal, type: 'commerce.offer_made', by: 'buyer' },
    { ...deal, type: 'commerce.dispute_opened', by: 'seller' },
  ],
  follow: [{}],
  mention: [{ postId: 1 }],
  reply: [{ postId: 1, replyTo: 2 }],
  publication_failed: [
    'version_changed',
    'account_banned',
    'account_deletion_scheduled',
    'quota_reached',
    'refused',
  ].map((reason) => ({ pageId: 1, reason })),
  job: [
    { jobId: 'j1', kind: 'export', status: 'succeeded' },
    { jobId: 'j1', kind: 'export', status: 'failed' },
  ],
  review: [{ title: 'Review', score: 4 }],
  message: [{ conversationId: 'c1' }],
  purchase: [{ receiptId: 'r1', item: 'a page', amount: { decimal: '1', currency: 'usd' } }],
  refund: [{ receiptId: 'r1', item: 'a page', amount: { decimal: '1', currency: 'usd' } }],
  dispute: (['opened', 'won', 'lost'] as const).map((state) => ({
    receiptId: 'r1',
    reference: 'dp_1',
    state,
    item: 'a page',
    amount: { decimal: '1', currency: 'usd' },
  })),
  undelivered: (['refund', 'keep'] as const).map((compensation) => ({
    receiptId: 'r1',
    item: 'a page',
    compensation,
    amount: { decimal: '1', currency: 'usd' },
  })),
  sale: [
    { resource: 'page', title: 'A page', url: 'https://a.example/page', amount: { decimal: '1', currency: 'usd' } },
  ],
  plan: [
    { plan: 'pro' },
    { failedAttempt: 1 },
    ...['trial_started', 'trial_ending', 'cancelled'].map((what) => ({
      what,
      plan: 'pro',
      at: '2027-01-31T00:00:00.000Z',
    })),
    { what: 'cancelled', plan: 'pro', at: null },
  ],
  team_invitation: [{ invitationId: 1, role: 'editor' }],
  team: [
    { what: 'joined', role: 'editor' },
    { what: 'left' },
    { what: 'declined' },
    { what: 'removed' },
    { what: 'role', role: 'viewer' },
  ],
  transfer: ['offered', 'rejected', 'cancelled', 'expired', 'given', 'received'].map((what) => ({ what })),
  webhook_created: [{ id: webhook.id, host: webhook.host }],
  webhook_paused: ['failures', 'gone', 'backlog'].map((reason) => ({ ...webhook, reason })),
  workspace_invitation: [{ invitationId: 1, role: 'reader' }],
  workspace: [
    { what: 'role', workspaceId: '5f7b5d3e-0f0c-4f0e-8f39-0d3e0f3f7a10', role: 'editor' },
    { what: 'removed', workspaceId: '5f7b5d3e-0f0c-4f0e-8f39-0d3e0f3f7a10' },
  ],
}

const facts = { actor: grace, about: grace, count: 1, frontendUrls }
const cases = definitions.flatMap((definition) =>
  (DATA[definition.kind] ?? [undefined]).flatMap((data) => [
    { kind: definition.kind, definition, facts: { ...facts, data } },
    { kind: definition.kind, definition, facts: { ...facts, data, count: 3, about: undefined, actor: undefined } },
  ]),
)

describe.each(cases)('the text of a notification of the kind $kind', ({ definition, facts }) => {
  it('differs in each language and has no placeholder left', () => {
    const written = LANGUAGES.map((language) => definition.text({ ...facts, language } satisfies NotificationInput))
    expect(new Set(written.map(({ title }) => title)).size).toBe(LANGUAGES.length)
    const bodies = written.map(({ body = [] }) => body.join(' '))
    expect(new Set(bodies).size).toBe(bodies[0] === '' ? 1 : LANGUAGES.length)
    expect(JSON.stringify(written)).not.toMatch(/\{[a-zA-Z]+\}/)
  })
})

/** Pages for people: profiles, posts, conversations, purchases, connected apps, and those of the frontend. */
const PAGES =
  /^(\/u\/grace|\/feed\/posts\/\d+|\/messages\/threads\/[\w-]+|\/purchases|\/account\/connected-apps(?:\/c1)?|https:\/\/a\.example\/.+)$/

it.each(cases)('leads people to a page or nowhere: $kind', ({ definition, facts }) => {
  const page = pageOfNotification(definition.text({ ...facts, language: 'en' } satisfies NotificationInput))
  if (page !== undefined) expect(page).toMatch(PAGES)
})

it('leads people to their plan, while programs get the limits', () => {
  const plan = definitions.find(({ kind }) => kind === 'plan')
  const text = plan?.text({ ...facts, language: 'en', data: { plan: 'pro' } })
  expect(text).toMatchObject({ link: '/manage/limits', page: 'https://a.example/plan' })
})
