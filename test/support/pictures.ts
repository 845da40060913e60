import sharp from 'sharp'
import { expect } from 'vitest'
import type { Person } from './accounts.ts'
import type { Requests } from './client.ts'
import { field, fileOf, upload } from './files.ts'

/** A picture of one color, as PNG. */
export const image = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer()

/** The value of an Open Graph property of a page. */
export const metaOf = (markup: string, name: string): string | undefined =>
  new RegExp(`<meta property="${name}" content="([^"]*)">`).exec(markup)?.[1]

/** Uploads a file, and returns its id. */
export async function sent(app: Requests, owner: Person, content: string | Buffer, filename: string): Promise<number> {
  const parts = [field('username', owner.account.username), fileOf(content, filename)]
  const answer = await upload(app, parts, owner.headers)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().id
}

/** Opens everything of a person but these resources, which cost a payment. */
export async function sellOnly(owner: Person, access: readonly string[]): Promise<void> {
  const requirements = [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }]
  const saved = await owner.put(`/eep/gates/did:web:profiles.example:u:${owner.account.username}`, {
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.*', 'content.*', 'files.*'] },
      paid: { requirements, access },
    },
  })
  expect(saved.statusCode, saved.body).toBe(200)
}
