import { transcriptionRefused } from '@eep/core/ports'
import { wavOf } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { fileOf, formOf } from '../support/files.ts'
import { createTranscriber, ended, ingest, newRecording } from '../support/media.ts'
import { createCashApp } from '../support/shop.ts'
import { newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

const LIMITS = { transcriptionMinutesPerMonth: 10, maxMediaDurationMinutesPerFile: 4 }
const transcriber = createTranscriber()

let test: Awaited<ReturnType<typeof createCashApp>>
let owner: Person
let org: OwnedProfile

beforeAll(async () => {
  test = await createCashApp({
    media: { transcriber },
    limits: { plans: { community: { limits: LIMITS } } },
  })
  owner = await signUp(test.app)
  org = await newOrganization(test.app, owner)
})
afterAll(() => test.close())

/** A user with all minutes of a month, and the requests of that user. */
async function newSpeaker() {
  const person = await signUp(test.app)
  const { username } = person.account
  const { headers } = person
  return {
    ...person,
    record: (more = {}) => newRecording(test.app, headers, username, more),
    ingest: (fileId: number, more?: object) => ingest(test.app, headers, fileId, more),
    end: async (jobId: string) => ended(test.app, headers, jobId),
    async minutes() {
      const { usage } = (await person.get('/manage/limits')).json()
      return { used: usage.transcription_minutes, reserved: usage.transcription_minutes_reserved }
    },
    transcript: (fileId: number, more: Record<string, string> = {}) =>
      client(test.app).get(`/media/${fileId}/transcript`, { ...headers, ...more }),
  }
}

async function transcribed(speaker: Awaited<ReturnType<typeof newSpeaker>>, seconds = 61) {
  const fileId = await speaker.record({ seconds })
  const job = (await speaker.ingest(fileId)).json()
  return { fileId, job: await speaker.end(job.id) }
}

describe('POST /media', () => {
  it('starts a transcription job, and returns its URL', async () => {
    const speaker = await newSpeaker()
    const fileId = await speaker.record()
    const answer = await speaker.ingest(fileId, { language: 'de-at' })
    expect([answer.statusCode, answer.headers.location]).toEqual([202, `/jobs/${answer.json().id}`])
    expect(answer.json()).toMatchObject({ kind: 'transcription', result: null, error: null })
    const job = await speaker.end(answer.json().id)
    expect(job).toMatchObject({
      status: 'succeeded',
      progress: 100,
      result: {
        file_id: fileId,
        url: `https://profiles.example/media/${fileId}/transcript`,
        language: 'de-AT',
        duration_seconds: 61,
        minutes: 2,
      },
    })
    expect(await speaker.minutes()).toEqual({ used: 2, reserved: 0 })
  })

  it('lets only editors of the profile request transcripts', async () => {
    const fileId = await newRecording(test.app, owner.headers, org.username, { seconds: 1 })
    const [editor, viewer] = [await newMember(test.app, org, 'editor'), await newMember(test.app, org, 'viewer')]
    for (const other of [viewer, await signUp(test.app)]) {
      const refused = await ingest(test.app, other.headers, fileId)
      expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'not_profile_owner'])
    }
    const job = await ingest(test.app, editor.headers, fileId)
    expect((await ended(test.app, editor.headers, job.json().id)).status).toBe('succeeded')
    expect((await test.eep.media.minutesUsed(owner.account.id)).used).toBe(1)
    expect((await test.eep.media.minutesUsed(editor.account.id)).used).toBe(0)
  })

  it('returns 404 for files that are hidden from the caller', async () => {
    const speaker = await newSpeaker()
    const { id } = await signUp(test.app).then(async (other) => {
      const profile = await newOrganization(test.app, other, { visibility: 'private' })
      return { id: await newRecording(test.app, other.headers, profile.username, { seconds: 1 }) }
    })
    for (const fileId of [id, 999_999_999]) {
      expect(codeOf(await speaker.ingest(fileId))).toBe('file_not_found')
      expect(codeOf(await speaker.transcript(fileId))).toBe('file_not_found')
    }
  })

  it.each<[string, Buffer, string]>([
    ['text', Buffer.from('Hello.'), 'notes.txt'],
    ['what only begins like sound', Buffer.from(`OggS${'\0'.repeat(3_000)}`), 'talk.ogg'],
    ['a film that breaks off', Buffer.from('\0\0\0\u0018ftypisom\0\0\u0002\0isommp41'), 'film.mp4'],
    ['WAV without sound', wavOf(0), 'talk.wav'],
  ])('refuses %s', async (_, bytes, filename) => {
    const speaker = await newSpeaker()
    const refused = await speaker.ingest(await speaker.record({ bytes, filename }))
    expect([refused.statusCode, codeOf(refused)]).toEqual([415, 'unsupported_media'])
    expect(await speaker.minutes()).toEqual({ used: 0, reserved: 0 })
  })

  it.each([
    [{ language: 'not a language' }],
    [{ language: 'x'.repeat(99) }],
    [{ file_id: '7' }],
    [{ file_id: 0 }],
    [{ minutes: 1 }],
  ])('refuses a body with %j', async (more) => {
    expect(codeOf(await ingest(test.app, owner.headers, 7, more))).toBe('validation_failed')
  })

  it('rejects recordings that are longer than the plan of the owner allows', async () => {
    const speaker = await newSpeaker()
    const refused = await speaker.ingest(await speaker.record({ seconds: 4 * 60 + 1 }))
    expect([refused.statusCode, refused.json().error]).toEqual([
      422,
      expect.objectContaining({ code: 'media_too_long', details: { max_minutes: 4, minutes: 5 } }),
    ])
  })

  it('starts one job for a file under concurrent requests', async () => {
    const speaker = await newSpeaker()
    const fileId = await speaker.record()
    const held = transcriber.hold()
    const answers = await Promise.all([1, 2, 3].map(() => speaker.ingest(fileId)))
    await held.started
    answers.push(await speaker.ingest(fileId))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([202]))
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
    expect(await speaker.minutes()).toEqual({ used: 0, reserved: 2 })
    held.release()
    await speaker.end(answers[0]?.json().id)
    const list = (await speaker.get('/jobs')).json()
    expect(list.data).toHaveLength(1)
  })

  it('shows the job of a file to all editors, and lets only its requester cancel it', async () => {
    const fileId = await newRecording(test.app, owner.headers, org.username)
    const [editor, viewer] = [await newMember(test.app, org, 'editor'), await newMember(test.app, org, 'viewer')]
    const held = transcriber.hold()
    const asked = await ingest(test.app, owner.headers, fileId)
    const other = await ingest(test.app, editor.headers, fileId)
    const path = String(other.headers.location)
    expect([other.statusCode, path]).toEqual([202, asked.headers.location])
    await held.started
    expect(codeOf(await ingest(test.app, viewer.headers, fileId))).toBe('not_profile_owner')
    const seen = await editor.get(path)
    expect([seen.statusCode, seen.json().status]).toEqual([200, 'running'])
    expect(codeOf(await editor.delete(path))).toBe('job_not_found')
    expect(codeOf(await viewer.get(path))).toBe('job_not_found')
    const own = await newOrganization(test.app, editor)
    const key = await newKey(test.app, editor.headers, { scopes: ['read:content'], profile_id: own.id })
    expect(codeOf(await client(test.app).as(key).get(path))).toBe('job_not_found')
    held.release()
    expect((await ended(test.app, editor.headers, asked.json().id)).status).toBe('succeeded')
  })

  it('uses no minutes for bytes that were transcribed before', async () => {
    const speaker = await newSpeaker()
    const bytes = wavOf(61, 7)
    const fileId = await speaker.record({ bytes })
    const { id } = (await speaker.ingest(fileId)).json()
    await speaker.end(id)
    const calls = transcriber.calls()

    const again = (await speaker.ingest(fileId)).json()
    expect([again.id, again.status]).toEqual([id, 'succeeded'])
    const copy = await speaker.record({ bytes })
    const taken = (await speaker.ingest(copy)).json()
    expect(taken).toMatchObject({ status: 'succeeded', result: { file_id: copy, minutes: 0 } })
    expect((await speaker.transcript(copy)).json().segments).toEqual((await speaker.transcript(fileId)).json().segments)
    expect([transcriber.calls(), await speaker.minutes()]).toEqual([calls, { used: 2, reserved: 0 }])

    const german = await speaker.end((await speaker.ingest(fileId, { language: 'de' })).json().id)
    expect([german.result?.language, (await speaker.minutes()).used]).toEqual(['de', 4])
    const other = await newSpeaker()
    await other.end((await other.ingest(await other.record({ bytes }))).json().id)
    expect((await other.minutes()).used).toBe(2)
  })
})

describe('minutes', () => {
  it('counts minutes per owner and month, and rejects recordings over the limit', async () => {
    const speaker = await newSpeaker()
    await transcribed(speaker, 4 * 60)
    const held = transcriber.hold()
    const running = (await speaker.ingest(await speaker.record({ seconds: 4 * 60 }))).json()
    const refused = await speaker.ingest(await speaker.record({ seconds: 3 * 60 }))
    expect([refused.statusCode, refused.json().error]).toEqual([
      409,
      expect.objectContaining({
        code: 'transcription_minutes_used',
        details: {
          minutes: 3,
          used: 4,
          reserved: 4,
          limit: 10,
          resets_at: expect.stringMatching(/-01T00:00:00.000Z$/),
        },
      }),
    ])
    held.release()
    await speaker.end(running.id)
    expect(await speaker.minutes()).toEqual({ used: 8, reserved: 0 })
  })

  it('never uses more minutes than the limit under concurrent requests', async () => {
    const speaker = await newSpeaker()
    const files = await Promise.all([1, 2, 3, 4].map(() => speaker.record({ seconds: 3 * 60 })))
    const answers = await Promise.all(files.map((fileId) => speaker.ingest(fileId)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 202, 409])
    for (const answer of answers) if (answer.statusCode === 202) await speaker.end(answer.json().id)
    expect(await speaker.minutes()).toEqual({ used: 9, reserved: 0 })
  })

  it('gives minutes back when a waiting job is cancelled, and uses them when it has started', async () => {
    const speaker = await newSpeaker()
    const held = [1, 2].map(() => transcriber.hold())
    const ids: string[] = []
    for (const fileId of [await speaker.record(), await speaker.record()])
      ids.push((await speaker.ingest(fileId)).json().id)
    await Promise.all(held.map(({ started }) => started))
    const fileId = await speaker.record()
    ids.push((await speaker.ingest(fileId)).json().id)
    expect(await speaker.minutes()).toEqual({ used: 0, reserved: 6 })
    const [first, second, waiting] = ids
    const cancel = async (id: string | undefined) => (await speaker.delete(`/jobs/${id}`)).json().status
    expect(await cancel(waiting)).toBe('cancelled')
    expect(await speaker.minutes()).toEqual({ used: 0, reserved: 4 })
    for (const id of [first, second]) expect(await cancel(id)).toBe('cancelled')
    expect(await speaker.minutes()).toEqual({ used: 4, reserved: 0 })
    for (const { release } of held) release()
    expect(codeOf(await speaker.transcript(fileId))).toBe('transcript_not_found')
    expect((await speaker.end((await speaker.ingest(fileId)).json().id)).status).toBe('succeeded')
  })

  it('gives minutes back when the recording is refused', async () => {
    const speaker = await newSpeaker()
    transcriber.next(() => Promise.reject(transcriptionRefused({ message: 'The recording has no speech' })))
    const { job } = await transcribed(speaker)
    expect([job.status, job.error]).toEqual([
      'failed',
      { code: 'transcription_refused', message: 'The recording has no speech' },
    ])
    expect(await speaker.minutes()).toEqual({ used: 0, reserved: 0 })
  })

  it('keeps minutes reserved while a failing transcriber is retried', async () => {
    const speaker = await newSpeaker()
    transcriber.next(async () => {
      expect(await speaker.minutes()).toEqual({ used: 0, reserved: 2 })
      throw new Error('the service is down')
    })
    const { job } = await transcribed(speaker)
    expect([job.status, await speaker.minutes()]).toEqual(['succeeded', { used: 2, reserved: 0 }])
  })

  it('charges the measured duration, whatever the headers of the recording say', async () => {
    const speaker = await newSpeaker()
    const lasting = (durationSeconds: number) =>
      transcriber.next(async () => ({ text: 'Hello.', language: null, segments: [], durationSeconds }))
    lasting(20)
    await transcribed(speaker, 3 * 60)
    expect((await speaker.minutes()).used).toBe(1)
    lasting(3 * 60)
    await transcribed(speaker, 61)
    expect((await speaker.minutes()).used).toBe(4)
    lasting(3_600)
    const { job, fileId } = await transcribed(speaker, 61)
    expect([job.status, job.error?.code]).toEqual(['failed', 'media_too_long'])
    expect(await speaker.minutes()).toEqual({ used: 10, reserved: 0 })
    expect(codeOf(await speaker.transcript(fileId))).toBe('transcript_not_found')
  })

  it('does not undercharge many recordings that hide their duration', async () => {
    const speaker = await newSpeaker()
    const files = await Promise.all(Array.from({ length: 5 }, () => speaker.record({ seconds: 61 })))
    const long = async () => ({ text: 'Long.', language: null, segments: [], durationSeconds: 4 * 60 })
    const held = files.map(() => transcriber.hold(long))
    const asked = await Promise.all(files.map((fileId) => speaker.ingest(fileId)))
    for (const { release } of held) release()
    const jobs = await Promise.all(asked.map((answer) => speaker.end(answer.json().id)))
    const failed = jobs.filter(({ error }) => error?.code === 'transcription_minutes_used')
    const read = await Promise.all(files.map((fileId) => speaker.transcript(fileId)))
    expect(await speaker.minutes()).toEqual({ used: 10, reserved: 0 })
    expect([failed.length, read.map(codeOf)]).toEqual([5, Array(5).fill('transcript_not_found')])
  })

  it('applies the plan at the start of the job, whatever the owner changes to', async () => {
    const speaker = await newSpeaker()
    const retier = (tier: 'community' | 'pro') =>
      test.storage.transaction((tx) => tx.accounts.save(speaker.account.id, { tier }))
    await retier('pro')
    const held = transcriber.hold()
    const fileId = await speaker.record({ seconds: 5 * 60 })
    const { id } = (await speaker.ingest(fileId)).json()
    await held.started
    await retier('community')
    held.release()
    expect((await speaker.end(id)).status).toBe('succeeded')
    expect([(await speaker.transcript(fileId)).statusCode, (await speaker.minutes()).used]).toEqual([200, 5])
  })

  it('charges the minutes of a file that is deleted meanwhile', async () => {
    const speaker = await newSpeaker()
    const held = transcriber.hold(async () => ({ text: 'Hello.', language: null, segments: [], durationSeconds: 61 }))
    const fileId = await speaker.record()
    const { id } = (await speaker.ingest(fileId)).json()
    await held.started
    expect((await speaker.delete(`/files/${fileId}`)).statusCode).toBe(200)
    held.release()
    const job = await speaker.end(id)
    expect([job.status, job.error?.code]).toEqual(['failed', 'file_not_found'])
    expect(await speaker.minutes()).toEqual({ used: 2, reserved: 0 })
  })
})

describe('content that is replaced', () => {
  const replace = async (speaker: Awaited<ReturnType<typeof newSpeaker>>, fileId: number, seconds: number) => {
    const form = formOf([fileOf(wavOf(seconds, 4_000 + fileId), 'later.wav')])
    const headers = { ...form.headers, ...speaker.headers }
    const replaced = await client(test.app).put(`/manage/files/${fileId}/content`, form.payload, headers)
    expect(replaced.statusCode, replaced.body).toBe(200)
  }

  it('gets no transcript of the content before, and its own one when it is asked for', async () => {
    const speaker = await newSpeaker()
    const held = transcriber.hold()
    const fileId = await speaker.record()
    const { id } = (await speaker.ingest(fileId)).json()
    await held.started
    await replace(speaker, fileId, 30)
    held.release()
    const job = await speaker.end(id)
    expect([job.status, job.error?.code]).toEqual(['failed', 'file_not_found'])
    expect(await test.storage.read.media.getTranscript(fileId)).toBeUndefined()
    expect((await speaker.transcript(fileId)).statusCode).toBe(404)
    // The host has paid for it.
    expect(await speaker.minutes()).toEqual({ used: 2, reserved: 0 })
    const again = await speaker.end((await speaker.ingest(fileId)).json().id)
    expect(again).toMatchObject({ status: 'succeeded', result: { minutes: 1 } })
    expect((await speaker.transcript(fileId)).statusCode).toBe(200)
  })

  it('is not transcribed by the second attempt of a job for the content before', async () => {
    const speaker = await newSpeaker()
    const held = transcriber.hold(async () => {
      throw new Error('The transcriber is down')
    })
    const fileId = await speaker.record()
    const { id } = (await speaker.ingest(fileId)).json()
    await held.started
    const calls = transcriber.calls()
    await replace(speaker, fileId, 30)
    held.release()
    const job = await speaker.end(id)
    expect([job.status, job.error?.code]).toEqual(['failed', 'file_not_found'])
    expect(transcriber.calls()).toBe(calls)
  })
})

describe('GET /media/{fileId}', () => {
  it('streams audio like the file, and nothing else', async () => {
    const fileId = await newRecording(test.app, owner.headers, org.username, { seconds: 1 })
    const [asMedia, asFile] = [`/media/${fileId}`, `/files/${fileId}`]
    const ranged = { range: 'bytes=2-5', ...owner.headers }
    for (const headers of [owner.headers, ranged]) {
      const answers = await Promise.all([asMedia, asFile].map((url) => client(test.app).get(url, headers)))
      const seen = answers.map(({ statusCode, rawPayload, headers: { etag, 'content-type': type } }) => ({
        statusCode,
        etag,
        type,
        bytes: rawPayload.toString('base64'),
      }))
      expect(seen[0]).toEqual(seen[1])
      expect(seen[0]?.type).toMatch(/^audio\//)
    }
    const text = await newRecording(test.app, owner.headers, org.username, {
      bytes: Buffer.from('Hello.'),
      filename: 'notes.txt',
    })
    expect(codeOf(await owner.get(`/media/${text}`))).toBe('file_not_found')
  })
})

describe('GET /media/{fileId}/transcript', () => {
  it('sends a transcript as JSON, Markdown and WebVTT, each with its own validators', async () => {
    const speaker = await newSpeaker()
    transcriber.next(async () => ({
      text: 'Hello. <b>Bye.</b>',
      language: 'en',
      segments: [
        { startSeconds: 0, endSeconds: 2, text: 'Hello.' },
        { startSeconds: 2, endSeconds: 61, text: '<b>Bye.</b>' },
      ],
      durationSeconds: 61,
    }))
    const { fileId } = await transcribed(speaker)
    const bodies = {
      'application/json': JSON.stringify({
        file_id: fileId,
        language: 'en',
        duration_seconds: 61,
        text: 'Hello. <b>Bye.</b>',
        segments: [
          { start_seconds: 0, end_seconds: 2, text: 'Hello.' },
          { start_seconds: 2, end_seconds: 61, text: '<b>Bye.</b>' },
        ],
      }),
      'text/markdown': '# talk.wav\n\n**00:00:00** Hello.\n\n**00:00:02** \\<b\\>Bye.\\</b\\>\n',
      'text/vtt':
        'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nHello.\n\n00:00:02.000 --> 00:01:01.000\n&lt;b&gt;Bye.&lt;/b&gt;\n',
    }
    const etags = new Set<unknown>()
    for (const [accept, body] of Object.entries(bodies)) {
      const { headers, ...answer } = await speaker.transcript(fileId, { accept })
      expect([answer.statusCode, headers['content-type'], answer.body]).toEqual([200, `${accept}; charset=utf-8`, body])
      expect(headers.vary).toMatch(/\bAccept\b/)
      etags.add(headers.etag)
      const again = await speaker.transcript(fileId, { accept, 'if-none-match': String(headers.etag) })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
    expect(etags.size).toBe(3)
    expect((await speaker.transcript(fileId, { accept: 'image/png' })).headers['content-type']).toMatch(/json/)
  })

  it('protects a transcript with the gate of its file', async () => {
    const speaker = await newSpeaker()
    const { fileId } = await transcribed(speaker)
    const url = `/media/${fileId}/transcript`
    expect((await client(test.app).get(url)).statusCode).toBe(200)
    const did = `did:web:profiles.example:u:${speaker.account.username}`
    const requirements = [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }]
    const gate = {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        listener: { label: 'Listener', requirements, access: ['files.*'] },
      },
    }
    expect((await speaker.put(`/eep/gates/${did}`, gate)).statusCode).toBe(200)
    for (const accept of ['application/json', 'text/markdown', 'text/vtt']) {
      const refused = await client(test.app).get(url, { accept })
      expect([refused.statusCode, refused.body.includes('bytes were said')]).toEqual([402, false])
    }
    expect((await client(test.app).get(`/media/${fileId}`)).statusCode).toBe(402)
    const own = await speaker.transcript(fileId)
    expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'private, no-cache'])
  })

  it('shows a new transcript immediately, and deletes it with its file', async () => {
    const speaker = await newSpeaker()
    const { fileId } = await transcribed(speaker)
    expect((await speaker.transcript(fileId)).json().language).toBe('en')
    await speaker.end((await speaker.ingest(fileId, { language: 'fr' })).json().id)
    expect((await speaker.transcript(fileId)).json().language).toBe('fr')
    await speaker.delete(`/files/${fileId}`)
    expect(codeOf(await speaker.transcript(fileId))).toBe('file_not_found')
    expect(await test.storage.read.media.getTranscript(fileId)).toBeUndefined()
  })
})

describe('without a transcriber', () => {
  it('serves recordings without a transcriber, and returns 503 for transcripts', async () => {
    const without = await createTestApp({ storage: test.storage, media: { transcriber: undefined } })
    const fileId = await newRecording(without.app, owner.headers, org.username, { seconds: 1 })
    const refused = await ingest(without.app, owner.headers, fileId)
    expect([refused.statusCode, codeOf(refused)]).toEqual([503, 'media_ingest_disabled'])
    const unread = await client(without.app).as(owner).get(`/media/${fileId}/transcript`)
    expect([unread.statusCode, codeOf(unread)]).toEqual([503, 'media_ingest_disabled'])
    expect((await client(without.app).as(owner).get(`/media/${fileId}`)).statusCode).toBe(200)
    await without.close()
  })
})
