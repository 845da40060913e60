import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { StoredFile } from '../../ports/storage/files.ts'
import type { Transcript } from '../../ports/storage/media.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { keeping, newUpload, uploaded } from '../records.ts'
import { type Bench, casesFor, type DeclareCases, ODD_TEXT, present } from './bench.ts'

const MONTH = '2026-01'
const AT = new Date('2026-01-02T03:04:05.678Z')

async function newFile(bench: Bench<'files' | 'jobs' | 'media'>, profile: Profile): Promise<StoredFile> {
  const upload = newUpload(profile.ownerAccountId)
  return bench.write(async (tx) => {
    await tx.files.createUpload(upload)
    const kept = await tx.files.commitUploads(keeping(profile, [uploaded(upload)]))
    assert.equal(kept.outcome, 'kept')
    return present(kept.outcome === 'kept' ? kept.files[0] : undefined)
  })
}

const newJob = async (
  tx: Stores<'files' | 'jobs' | 'media'>,
  accountId: string,
  profileId: number | null,
): Promise<string> => {
  const job = { id: randomUUID(), kind: 'transcription', accountId, profileId, input: {}, origin: null, createdAt: AT }
  return present(await tx.jobs.add(job)).id
}

/** A transcript of a file with its present content. */
export const newTranscript = (
  { id: fileId, sha256 }: Pick<StoredFile, 'id' | 'sha256'>,
  changes: Partial<Transcript> = {},
): Transcript => ({
  fileId,
  sha256,
  askedLanguage: null,
  language: 'en',
  durationSeconds: 61.25,
  text: 'It weaves patterns.',
  segments: [{ startSeconds: 0, endSeconds: 1.5, text: 'It weaves patterns.' }],
  jobId: randomUUID(),
  createdAt: AT,
  ...changes,
})

/** A profile with files and jobs, to reserve minutes with. */
async function createMeter(bench: Bench<'files' | 'jobs' | 'media'>) {
  const profile = await bench.profile()
  const { id: profileId, ownerAccountId: accountId } = profile
  const reserving =
    (fileId: number, minutes: number, limit: number, month = MONTH) =>
    async (tx: Stores<'files' | 'jobs' | 'media'>) => {
      const jobId = await newJob(tx, accountId, profileId)
      return { jobId, ...(await tx.media.reserve({ jobId, fileId, accountId, month, minutes }, limit)) }
    }
  return {
    profile,
    accountId,
    stored: () => newFile(bench, profile),
    file: async () => (await newFile(bench, profile)).id,
    reserving,
    reserve: async (fileId: number, minutes: number, limit = 30) => bench.write(reserving(fileId, minutes, limit)),
    minutes: (month = MONTH) => bench.read.media.minutesOf(accountId, month),
  }
}

const BACK = { begun: 'given_back' } as const

const transcriptCases: DeclareCases<'files' | 'jobs' | 'media'> = (it, bench) => {
  it('stores the transcript of a file, replaces an earlier one, and finds it by the bytes', async () => {
    const { stored, accountId } = await createMeter(bench)
    const file = await stored()
    const { id: fileId, sha256 } = file
    const first = newTranscript(file, { text: ODD_TEXT, segments: [], language: null })
    assert.equal(await bench.write((tx) => tx.media.saveTranscript(first)), true)
    assert.deepEqual(await bench.read.media.getTranscript(fileId), first)
    const segments = [{ startSeconds: 0.25, endSeconds: 7, text: ODD_TEXT }]
    const second = newTranscript(file, { segments, askedLanguage: 'de-AT' })
    await bench.write((tx) => tx.media.saveTranscript(second))
    assert.deepEqual(await bench.read.media.getTranscript(fileId), second)

    const find = bench.read.media.findTranscript
    assert.deepEqual(await find(accountId, sha256, 'de-AT'), second)
    assert.equal(await find(accountId, sha256, null), undefined)
    assert.equal(await find(accountId, 'other', 'de-AT'), undefined)
    assert.equal(await find((await bench.account()).id, sha256, 'de-AT'), undefined)
    assert.equal(await find('unknown', sha256, 'de-AT'), undefined)
    assert.equal(await bench.read.media.getTranscript(Number.MAX_SAFE_INTEGER), undefined)
  })

  it('deletes a transcript with its file, and stores none of a deleted file', async () => {
    const { stored, profile } = await createMeter(bench)
    const [file, other] = [await stored(), await stored()]
    for (const each of [file, other]) await bench.write((tx) => tx.media.saveTranscript(newTranscript(each)))
    await bench.write((tx) => tx.files.delete(profile.id, [file.id]))
    assert.equal(await bench.read.media.getTranscript(file.id), undefined)
    assert.equal(await bench.write((tx) => tx.media.saveTranscript(newTranscript(file))), false)
    await bench.write((tx) => eraseAccount(tx, profile.ownerAccountId))
    assert.equal(await bench.read.media.getTranscript(other.id), undefined)
  })

  it('stores no transcript of content that was replaced, also by a concurrent transaction', async () => {
    const { stored, profile } = await createMeter(bench)
    const file = await stored()
    const replacing = async () => {
      const upload = newUpload(profile.ownerAccountId)
      await bench.write((tx) => tx.files.createUpload(upload))
      const content = { maxBytes: 1_000_000, replacedKey: undefined, replacedAt: AT, file: uploaded(upload) }
      return async (tx: Stores<'files' | 'jobs' | 'media'>) =>
        (await tx.files.replaceContent({
          ...content,
          profileId: profile.id,
          fileId: file.id,
          ownerAccountId: profile.ownerAccountId,
        })) && true
    }
    const saving = (tx: Stores<'files' | 'jobs' | 'media'>) => tx.media.saveTranscript(newTranscript(file))
    const { first, others } = await bench.overlap(await replacing(), [saving])
    assert.deepEqual([first, others], [true, [false]])
    assert.equal(await bench.read.media.getTranscript(file.id), undefined)
    const { sha256 } = present(await bench.read.files.get(file.id))
    const again = newTranscript({ id: file.id, sha256 })
    await bench.overlap((tx: Stores<'files' | 'jobs' | 'media'>) => tx.media.saveTranscript(again), [await replacing()])
    assert.equal(await bench.read.media.getTranscript(file.id), undefined)
  })
}

const minuteCases: DeclareCases<'files' | 'jobs' | 'media'> = (it, bench) => {
  it('reserves minutes of a month up to the limit, and settles the minutes that a job took', async () => {
    const { file, reserve, minutes, accountId } = await createMeter(bench)
    assert.deepEqual(await minutes(), { used: 0, reserved: 0 })
    const [one, two] = [await file(), await file()]
    const first = await reserve(one, 20)
    assert.equal(first.outcome, 'reserved')
    assert.equal(await bench.read.media.getRunningJob(one), first.jobId)
    const { jobId: _, ...refused } = await reserve(two, 11)
    assert.deepEqual(refused, { outcome: 'used_up', used: 0, reserved: 20 })
    assert.equal((await reserve(two, 10)).outcome, 'reserved')
    assert.deepEqual(await minutes(), { used: 0, reserved: 30 })
    assert.deepEqual(await minutes('2026-02'), { used: 0, reserved: 0 })

    assert.equal(await bench.write((tx) => tx.media.settle(first.jobId, 12, 30)), 12)
    assert.deepEqual(await minutes(), { used: 12, reserved: 10 })
    assert.equal(await bench.read.media.getRunningJob(one), undefined)
    assert.equal((await reserve(one, 8)).outcome, 'reserved')
    assert.deepEqual(await bench.read.media.minutesOf('unknown', MONTH), { used: 0, reserved: 0 })
    assert.deepEqual((await bench.read.media.minutesOf(accountId, MONTH)).used, 12)
  })

  it('settles more than was reserved only up to the limit, and never less than was reserved', async () => {
    const { file, reserve, minutes } = await createMeter(bench)
    const [one, two, three] = [
      await reserve(await file(), 5),
      await reserve(await file(), 5),
      await reserve(await file(), 5),
    ]
    assert.equal(await bench.write((tx) => tx.media.settle(one.jobId, 12, 30)), 12)
    // Of 30 are 12 used and 5 reserved by the third.
    assert.equal(await bench.write((tx) => tx.media.settle(two.jobId, 900, 30)), 13)
    assert.deepEqual(await minutes(), { used: 25, reserved: 5 })
    // Meanwhile the tier of the account allows less.
    assert.equal(await bench.write((tx) => tx.media.settle(three.jobId, 9, 3)), 5)
    assert.deepEqual(await minutes(), { used: 30, reserved: 0 })
  })

  it('releases minutes once, and with the deletion of their job', async () => {
    const { file, reserve, minutes, profile } = await createMeter(bench)
    const released = await reserve(await file(), 5)
    const settled = await reserve(await file(), 5)
    assert.equal(await bench.write((tx) => tx.media.release(released.jobId, BACK)), true)
    assert.equal(await bench.write((tx) => tx.media.release(released.jobId, BACK)), false)
    assert.equal(await bench.write((tx) => tx.media.settle(released.jobId, 5, 30)), undefined)
    assert.equal(await bench.write((tx) => tx.media.settle(settled.jobId, 5, 30)), 5)
    assert.equal(await bench.write((tx) => tx.media.release(settled.jobId, BACK)), false)
    assert.equal(await bench.write((tx) => tx.media.settle('no id', 5, 30)), undefined)
    assert.deepEqual(await minutes(), { used: 5, reserved: 0 })

    await reserve(await file(), 7)
    assert.deepEqual(await minutes(), { used: 5, reserved: 7 })
    await bench.write((tx) => tx.profiles.delete(profile.id))
    assert.deepEqual(await minutes(), { used: 5, reserved: 0 })
  })

  it('counts minutes in use as reserved, settles them, and returns them only on request', async () => {
    const { file, reserve, minutes } = await createMeter(bench)
    const [one, two, three] = [
      await reserve(await file(), 5),
      await reserve(await file(), 6),
      await reserve(await file(), 7),
    ]
    for (const { jobId } of [one, one, two, three]) {
      assert.equal(await bench.write((tx) => tx.media.begin(jobId)), true)
    }
    assert.deepEqual(await minutes(), { used: 0, reserved: 18 })
    assert.equal((await reserve(await file(), 13)).outcome, 'used_up')
    assert.equal(await bench.write((tx) => tx.media.settle(one.jobId, 4, 30)), 4)
    assert.deepEqual(await minutes(), { used: 4, reserved: 13 })
    assert.equal(await bench.write((tx) => tx.media.release(two.jobId, BACK)), true)
    assert.deepEqual(await minutes(), { used: 4, reserved: 7 })
    assert.equal(await bench.write((tx) => tx.media.release(three.jobId, { begun: 'used' })), true)
    assert.deepEqual(await minutes(), { used: 11, reserved: 0 })
    for (const jobId of [one.jobId, 'no id']) assert.equal(await bench.write((tx) => tx.media.begin(jobId)), false)

    const queued = await reserve(await file(), 2)
    await bench.write((tx) => tx.media.release(queued.jobId, { begun: 'used' }))
    assert.deepEqual(await minutes(), { used: 11, reserved: 0 })
  })

  it('counts minutes in use as used when their job is deleted', async () => {
    const { file, reserve, minutes, profile } = await createMeter(bench)
    const { jobId } = await reserve(await file(), 5)
    await reserve(await file(), 7)
    await bench.write((tx) => tx.media.begin(jobId))
    await bench.write((tx) => tx.profiles.delete(profile.id))
    assert.deepEqual(await minutes(), { used: 5, reserved: 0 })
  })

  it('releases minutes once, also while their use begins', async () => {
    const { file, reserve, minutes } = await createMeter(bench)
    const { jobId } = await reserve(await file(), 5)
    const begin = (tx: Stores<'files' | 'jobs' | 'media'>) => tx.media.begin(jobId)
    const release = (tx: Stores<'files' | 'jobs' | 'media'>) => tx.media.release(jobId, BACK)
    assert.deepEqual(await bench.overlap(begin, [release]), { first: true, others: [true] })
    assert.deepEqual(await minutes(), { used: 0, reserved: 0 })
    const next = await reserve(await file(), 5)
    const end = (tx: Stores<'files' | 'jobs' | 'media'>) => tx.media.release(next.jobId, BACK)
    const late = await bench.overlap(end, [(tx: Stores<'files' | 'jobs' | 'media'>) => tx.media.begin(next.jobId)])
    assert.deepEqual(late, { first: true, others: [false] })
    assert.deepEqual(await minutes(), { used: 0, reserved: 0 })
  })

  it('keeps the reservation of a deleted file, and settles it', async () => {
    const { file, reserve, minutes, profile } = await createMeter(bench)
    const fileId = await file()
    const { jobId } = await reserve(fileId, 5)
    await bench.write((tx) => tx.files.delete(profile.id, [fileId]))
    assert.deepEqual(await minutes(), { used: 0, reserved: 5 })
    assert.equal(await bench.write((tx) => tx.media.settle(jobId, 4, 30)), 4)
    assert.equal((await reserve(fileId, 5)).outcome, 'gone')
    assert.deepEqual(await minutes(), { used: 4, reserved: 0 })
  })

  it('never reserves more than the limit for two concurrent jobs', async () => {
    const { file, reserving, minutes } = await createMeter(bench)
    const [one, two] = [await file(), await file()]
    const { first, others } = await bench.overlap(reserving(one, 20, 30), [reserving(two, 20, 30)])
    assert.deepEqual([first?.outcome, others.map(({ outcome }) => outcome)], ['reserved', ['used_up']])
    assert.deepEqual(await minutes(), { used: 0, reserved: 20 })
  })

  it('lets exactly one of two jobs reserve for a file, and returns its id to the other', async () => {
    const { file, reserving, minutes } = await createMeter(bench)
    const fileId = await file()
    const { first, others } = await bench.overlap(reserving(fileId, 5, 30), [reserving(fileId, 5, 30)])
    assert.equal(first?.outcome, 'reserved')
    assert.deepEqual(
      others.map((other) => [other.outcome, other.jobId]),
      [['running', first?.jobId]],
    )
    assert.deepEqual(await minutes(), { used: 0, reserved: 5 })
  })

  it('lets exactly one of two runs settle, and none after the minutes were released', async () => {
    const { file, reserve, minutes } = await createMeter(bench)
    const { jobId } = await reserve(await file(), 5)
    const settle = (tx: Stores<'files' | 'jobs' | 'media'>) => tx.media.settle(jobId, 4, 30)
    assert.deepEqual(await bench.overlap(settle, [settle, settle]), { first: 4, others: [undefined, undefined] })
    assert.deepEqual(await minutes(), { used: 4, reserved: 0 })

    const second = await reserve(await file(), 5)
    const release = (tx: Stores<'files' | 'jobs' | 'media'>) => tx.media.release(second.jobId, BACK)
    const late = await bench.overlap(release, [
      (tx: Stores<'files' | 'jobs' | 'media'>) => tx.media.settle(second.jobId, 4, 30),
    ])
    assert.deepEqual(late, { first: true, others: [undefined] })
    assert.deepEqual(await minutes(), { used: 4, reserved: 0 })
  })

  it('counts the minutes that two jobs settle concurrently, within the limit', async () => {
    const { file, reserve, minutes } = await createMeter(bench)
    const [one, two] = [await reserve(await file(), 5), await reserve(await file(), 5)]
    const settle = (jobId: string) => (tx: Stores<'files' | 'jobs' | 'media'>) => tx.media.settle(jobId, 99, 30)
    const { first, others } = await bench.overlap(settle(one.jobId), [settle(two.jobId)])
    assert.deepEqual([first, others], [25, [5]])
    assert.deepEqual(await minutes(), { used: 30, reserved: 0 })
  })
}

export const mediaCases = casesFor(['media', 'files', 'jobs'], (it, bench) => {
  transcriptCases(it, bench)
  minuteCases(it, bench)
})
