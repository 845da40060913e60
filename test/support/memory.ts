import type { TestAgent } from './agents.ts'
import { type Client, client, type Headers, type Requests } from './client.ts'

/** A session as the service answers it. */
export interface ShownSession {
  readonly id: string
  readonly agent_did: string | null
  readonly name: string | null
  readonly entries: number
  readonly bytes: number
  readonly expires_at: string
}

/** Creates a session, and returns its path. */
export async function newMemory(user: Client, profileId: number, fields: object = {}): Promise<string> {
  const made = await user.post('/memory/sessions', { profile_id: profileId, ttl_seconds: 3_600, ...fields })
  if (made.statusCode !== 201) throw new Error(`no session: ${made.body}`)
  return `/memory/sessions/${made.json().id}`
}

/** Adds entries with these contents, and returns their ids. */
export async function remember(user: Client, session: string, ...contents: readonly string[]): Promise<number[]> {
  const entries = contents.map((content) => ({ role: 'user', content }))
  const added = await user.post(`${session}/entries`, { entries })
  if (added.statusCode !== 201) throw new Error(`not added: ${added.body}`)
  return added.json().data.map(({ id }: { readonly id: number }) => id)
}

/** The contents of a list of entries. */
export const contentsOf = (answer: { json(): { data: { content: string }[] } }): string[] =>
  answer.json().data.map(({ content }) => content)

/** A script, a text in it, a question that has words of the text among others, and words of the text. */
export const WORDS_OF_SCRIPTS = [
  ['Japanese', '東京でデータ分析', '面白いデータ分析はどこで', 'データ分析'],
  ['half-width Japanese', 'ﾄﾞﾗﾏを見る', '好きなドラマは何', 'ドラマ'],
  ['decomposed Japanese', 'パン屋'.normalize('NFD'), 'あのパン屋です', 'パン屋'],
  ['Chinese', '北京的图书馆很大', '最近的图书馆在哪里', '图书馆'],
  ['Thai', 'ฉันชอบกินข้าวผัดที่กรุงเทพ', 'ร้านข้าวผัดอยู่ไหน', 'ข้าวผัด'],
  ['Hindi', 'मुझे हिन्दी किताबें पसंद हैं', 'कौन सी किताबें', 'किताबें'],
  ['Russian', 'Люблю чай', 'какой чай лучше', 'чай'],
  ['Greek', 'Ο καφές της Αθήνας', 'ποιος ΚΑΦΕΣ', 'καφες'],
  ['French', 'Un marché à Orléans', 'which MARCHE', 'orleans'],
] as const

/** A client whose requests an agent signs, with the credential of a user. */
export function signedClient(app: Requests, agent: TestAgent, headers: Headers): Client {
  const signing = (method: string, path: string, payload?: unknown): Headers => {
    const body = payload === undefined ? '' : JSON.stringify(payload)
    const type: Headers = payload === undefined ? {} : { 'content-type': 'application/json' }
    return { ...headers, ...type, ...agent.sign({ method, path, body }) }
  }
  const send: Client['send'] = (method, url, payload) =>
    client(app).send(
      method,
      url,
      payload === undefined ? undefined : JSON.stringify(payload),
      signing(String(method), url, payload),
    )
  return {
    get: (url) => send('GET', url),
    delete: (url) => send('DELETE', url),
    post: (url, payload) => send('POST', url, payload),
    put: (url, payload) => send('PUT', url, payload),
    patch: (url, payload) => send('PATCH', url, payload),
    send,
    as: (user) => signedClient(app, agent, { ...headers, ...user.headers }),
    with: (more) => signedClient(app, agent, { ...headers, ...more }),
  }
}
