import { createHash } from 'node:crypto'
import { cashRail } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createTestApp, PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'

const INDEX = '/.well-known/agent-skills/index.json'
const { instance } = await openInstances()
const app = await instance({ payments: { rails: [cashRail()] } })

interface Listed {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly url: string
  readonly digest: string
}

async function skillsOf(from = app): Promise<readonly Listed[]> {
  const response = await client(from).get(INDEX)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().skills
}

describe('the index of agent skills', () => {
  it('has a digest of the bytes of each file, whose front matter it repeats', async () => {
    const skills = await skillsOf()
    expect(skills.map(({ name }) => name)).toEqual(['read', 'pay', 'verify-receipt', 'follow-changes'])
    for (const { name, type, description, url, digest } of skills) {
      const file = await client(app).get(url.slice(PUBLIC_URL.length), { 'accept-encoding': 'br, gzip' })
      expect([type, url]).toEqual(['skill-md', `${PUBLIC_URL}/.well-known/agent-skills/${name}/SKILL.md`])
      expect(file.headers['content-encoding']).toBeUndefined()
      expect(digest).toBe(`sha256:${createHash('sha256').update(file.rawPayload).digest('hex')}`)
      const [, front = ''] = file.body.split('---\n')
      expect(parse(front)).toEqual({ name, description })
      expect(description.length).toBeLessThanOrEqual(1_024)
    }
  })

  it('is cached, tagged and readable by pages of other sites, as its files are', async () => {
    for (const path of [INDEX, '/.well-known/agent-skills/read/SKILL.md']) {
      const { headers } = await client(app).get(path)
      expect(headers).toMatchObject({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' })
      const again = await client(app).get(path, { 'if-none-match': String(headers.etag) })
      expect(again.statusCode).toBe(304)
    }
    expect((await client(app).get('/.well-known/agent-skills/sell/SKILL.md')).statusCode).toBe(404)
  })

  it('has the skills of the agent card, and is in the API catalogue', async () => {
    const card = (await client(app).get('/.well-known/agent-card.json')).json()
    const skills = await skillsOf()
    expect(card.skills.map(({ id, description }: Record<string, string>) => [id, description])).toEqual(
      skills.map(({ name, description }) => [name, description]),
    )
    expect(card.capabilities).toEqual({ streaming: false, pushNotifications: false })
    expect(card['x-eep'].stream_url).toBe(`${PUBLIC_URL}/eep/stream`)
    const catalog = (await client(app).get('/.well-known/api-catalog')).json()
    expect(JSON.stringify(catalog)).toContain(INDEX)
  })

  it('has no skill that the service does not offer', async () => {
    const poor = await createTestApp({ signals: false, sockets: false, webhooks: false })
    const skills = await skillsOf(poor.app)
    expect(skills.map(({ name }) => name)).toEqual(['read', 'follow-changes'])
    const file = await client(poor.app).get('/.well-known/agent-skills/follow-changes/SKILL.md')
    expect(file.body).toContain('/freshness')
    expect(file.body).not.toContain('/stream/signals')
    await poor.close()
  })

  it('does not exist where it is off', async () => {
    const off = await createTestApp({ discovery: { skills: false } })
    for (const path of [INDEX, '/.well-known/agent-skills/read/SKILL.md']) {
      expect((await client(off.app).get(path)).statusCode).toBe(404)
    }
    expect((await client(off.app).get('/.well-known/api-catalog')).body).not.toContain('agent-skills')
    await off.close()
  })
})
