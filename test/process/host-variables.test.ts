import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHost } from '../support/host.ts'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'

describe('the variables of the example host', () => {
  let directory: string
  let host: Awaited<ReturnType<typeof startHost>>
  beforeAll(async () => {
    directory = await migratedDataDirectory()
    host = await startHost({
      EEP_DATA_DIR: directory,
      EEP_NAME: 'Harbour <Weather>',
      EEP_IMPRINT_URL: 'https://example.com/imprint',
      EEP_PRIVACY_URL: 'https://example.com/privacy',
      EEP_FRONTEND_URL: 'https://app.example.com',
      EEP_TRUSTED_ORIGINS: 'https://app.example.com',
      EEP_DISCOVERY_CATEGORIES: 'weather,research',
      EEP_DISCOVERY_DOCUMENTS: 'ai-catalog,ask',
    })
  })
  afterAll(async () => {
    await host.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('name the service, its imprint and its privacy policy on its pages', async () => {
    const page = await (await fetch(`${host.url}/o/demo`, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('Harbour &lt;Weather&gt;')
    expect(page).toContain('href="https://example.com/imprint"')
    expect(page).toContain('href="https://example.com/privacy"')
  })

  it('name what the service is about, and turn on documents for agents', async () => {
    const openapi = await (await fetch(`${host.url}/openapi.json`)).json()
    expect(openapi).toMatchObject({ 'x-service-info': { categories: ['weather', 'research'] } })
    const statusOf = async (path: string) => (await fetch(host.url + path)).status
    expect(await statusOf('/.well-known/ai-catalog.json')).toBe(200)
    expect(await statusOf('/ask?query=weather')).toBe(200)
    expect(await statusOf('/agent/nobody/agent-registration.json')).toBe(404)
    expect(await (await fetch(`${host.url}/docs/openapi.json`)).text()).not.toContain('agent-registration')
  })

  it('let the pages of a trusted origin use cookies', async () => {
    const response = await fetch(`${host.url}/auth/me`, { headers: { origin: 'https://app.example.com' } })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(response.headers.get('access-control-allow-credentials')).toBe('true')
  })

  it('announce the name localhost by default, which is also the name in identifiers', async () => {
    const { hostname, port } = new URL(host.url)
    expect(hostname).toBe('localhost')
    const profile = await (await fetch(`http://127.0.0.1:${port}/o/demo?format=json`)).json()
    expect(profile).toMatchObject({ did: `did:web:localhost%3A${port}:o:demo` })
  })
})
