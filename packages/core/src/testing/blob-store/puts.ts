import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isEepError } from '../../kernel/errors.ts'
import { type BlobStore, newBlobKey } from '../../ports/blob-store.ts'
import type { TestRunner } from '../runner.ts'
import { bodyOf, bytesFor, bytesIn, heldBody, MIB } from './bodies.ts'
import { keysIn } from './pages.ts'

// More than one part of a multipart upload.
const LARGE = 12 * MIB + 3
const SMALL = 100_000
const soon = () => new Date(Date.now() + 3_600_000)

export function putCases(it: TestRunner['it'], store: () => BlobStore, leavesNothing: boolean): void {
  const isAbsent = async (key: string) => {
    assert.equal(await store().head(key), undefined, 'it has no metadata')
    assert.equal(await store().get(key), undefined, 'it cannot be read')
  }
  const isNowhere = async (key: string) => {
    await isAbsent(key)
    assert.equal(await store().sweep(soon()), 0, 'nothing is left to sweep')
  }
  const codeOf = (code: string) => (error: unknown) => isEepError(error) && error.code === code

  it('returns the stored bytes, of any size, with or without a declared length', async () => {
    for (const size of [0, 1, SMALL, LARGE]) {
      for (const announced of [undefined, size]) {
        const key = newBlobKey()
        const bytes = bytesFor(key, size)
        assert.deepEqual(await store().put(key, bodyOf(bytes), { size: announced }), { size })
        assert.equal((await store().head(key))?.size, size)
        const content = await store().get(key)
        assert.deepEqual([content?.size, content?.start, content?.length], [size, 0, size])
        assert.ok((await bytesIn(content))?.equals(bytes), `${size} bytes are returned unchanged`)
        await store().delete(key)
      }
    }
  })

  it('shows a blob only after it is stored completely', async () => {
    for (const size of [SMALL, LARGE]) {
      const key = newBlobKey()
      const { body, held, release } = heldBody(bytesFor(key, size))
      const put = store().put(key, body)
      await held
      await isAbsent(key)
      assert.ok(!(await keysIn(store())).includes(key), 'it is not listed')
      release()
      await put
      assert.equal((await store().head(key))?.size, size)
      await store().delete(key)
    }
  })

  it('throws the error of the body, and stores nothing', async () => {
    for (const size of [0, SMALL, LARGE]) {
      const key = newBlobKey()
      const { body, held, release } = heldBody(bytesFor(key, size))
      const put = store().put(key, body)
      await held
      const fault = new Error('the line was cut')
      release(fault)
      await assert.rejects(put, (error) => error === fault)
      await isNowhere(key)
    }
  })

  it('stops when it is aborted during a stalled body, and stores nothing', async () => {
    for (const size of [0, SMALL, LARGE]) {
      const key = newBlobKey()
      const { body, held } = heldBody(bytesFor(key, size))
      const controller = new AbortController()
      const put = store().put(key, body, { size: LARGE + 1, signal: controller.signal })
      await held
      const reason = new Error('the client has disconnected')
      controller.abort(reason)
      await assert.rejects(put, (error) => error === reason)
      assert.ok(body.destroyed, 'the body is not read further')
      await isNowhere(key)
    }
  })

  it('does not start when it is already aborted', async () => {
    const key = newBlobKey()
    const body = bodyOf(bytesFor(key, SMALL))
    await assert.rejects(store().put(key, body, { signal: AbortSignal.abort() }), { name: 'AbortError' })
    assert.ok(body.destroyed)
    await isNowhere(key)
  })

  it('refuses a body that differs from its declared length, or closes before its end', async () => {
    for (const size of [SMALL, LARGE]) {
      for (const announced of [size - 1, size + 1]) {
        const key = newBlobKey()
        const put = store().put(key, bodyOf(bytesFor(key, size)), { size: announced })
        await assert.rejects(put, codeOf('incomplete_upload'))
        await isNowhere(key)
      }
      const key = newBlobKey()
      const { body, held } = heldBody(bytesFor(key, size))
      const put = store().put(key, body)
      await held
      body.destroy()
      await assert.rejects(put, codeOf('incomplete_upload'))
      await assert.rejects(store().put(key, body), codeOf('incomplete_upload'))
      await isNowhere(key)
    }
  })

  it('keeps the previous blob when a put fails, and replaces it when a put succeeds', async () => {
    const key = newBlobKey()
    const [first, second] = [bytesFor('first', SMALL), bytesFor('second', SMALL + 1)]
    await store().put(key, bodyOf(first))
    const { body, held, release } = heldBody(second)
    const put = store().put(key, body)
    await held
    release(new Error('the line was cut'))
    await assert.rejects(put)
    assert.ok((await bytesIn(await store().get(key)))?.equals(first))
    await store().put(key, bodyOf(second))
    assert.ok((await bytesIn(await store().get(key)))?.equals(second))
    await store().delete(key)
  })

  it('stores one of two concurrent puts of a key completely', async () => {
    const key = newBlobKey()
    const versions = [bytesFor('one', LARGE), bytesFor('other', LARGE + 1)]
    const bodies = versions.map((bytes) => heldBody(bytes))
    const puts = bodies.map(({ body }) => store().put(key, body))
    await Promise.all(bodies.map(({ held }) => held))
    for (const { release } of bodies) release()
    await Promise.all(puts)
    const found = await bytesIn(await store().get(key))
    assert.ok(found && versions.some((bytes) => bytes.equals(found)))
    await store().delete(key)
  })

  if (leavesNothing) {
    it('does not sweep a put that is still running', async () => {
      const key = newBlobKey()
      const { body, held, release } = heldBody(bytesFor(key, LARGE))
      const put = store().put(key, body)
      await held
      assert.equal(await store().sweep(soon()), 0)
      release()
      assert.deepEqual(await put, { size: LARGE })
      await store().delete(key)
    })
  } else {
    it('sweeps the remains of interrupted puts, but no later puts and no blobs', async () => {
      const [kept, key] = [newBlobKey(), newBlobKey()]
      await store().put(kept, bodyOf(bytesFor(kept, SMALL)))
      const { body, held, release } = heldBody(bytesFor(key, LARGE))
      const put = store().put(key, body)
      put.catch(() => {})
      await held
      assert.equal(await store().sweep(new Date(Date.now() - 3_600_000)), 0)
      let swept = 0
      for (let tries = 0; swept === 0 && tries < 200; tries++) {
        swept = await store().sweep(soon())
        if (swept === 0) await sleep(20)
      }
      assert.equal(swept, 1)
      release()
      await assert.rejects(put, codeOf('storage_error'))
      await isNowhere(key)
      assert.equal((await store().head(kept))?.size, SMALL)
      await store().delete(kept)
    })
  }

  it('accepts the keys of the service, and no other text', async () => {
    const keys = ['../../../etc/passwd', '..', '', 'short', 'Upper-case-letters', `${'a'.repeat(129)}`, 'a/'.repeat(20)]
    for (const key of [...keys, `${newBlobKey()}\0`, `${newBlobKey()}\n`, `-${newBlobKey()}`]) {
      await assert.rejects(async () => store().put(key, bodyOf(Buffer.from('x'))), TypeError)
      await assert.rejects(async () => store().get(key), TypeError)
      await assert.rejects(async () => store().head(key), TypeError)
      await assert.rejects(async () => store().delete(key), TypeError)
    }
    for (const key of ['0123456789abcdef', `a${'_-'.repeat(63)}z`]) {
      await store().put(key, bodyOf(bytesFor(key, 10)))
      assert.equal((await store().head(key))?.size, 10)
      await store().delete(key)
    }
  })
}
