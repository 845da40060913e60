import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { unpackPackages } from './debian.ts'

const run = promisify(execFile)
const PYTHON = '/usr/bin/python3'
const program = join(import.meta.dirname, 'swift/serve.py')
const cache = join(import.meta.dirname, '../../../node_modules/.cache/swift')

// What Swift needs beside python3; apt checks that they are Debian's.
const PACKAGES =
  `python3-swift python3-eventlet python3-greenlet python3-dnspython python3-pastedeploy python3-netifaces
  python3-pyeclib liberasurecode1 python3-xattr python3-cffi python3-cffi-backend python3-pycparser python3-ply
  python3-requests python3-urllib3 python3-idna python3-chardet python3-charset-normalizer python3-certifi python3-lxml
  python3-six python3-cryptography python3-pkg-resources python3-setuptools libxml2 libxslt1.1`.split(/\s+/)

/** An S3-compatible server with a separate bucket for the tests. */
export interface S3Server {
  readonly name: string
  readonly endpoint: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly bucket: string
  stop(): Promise<void>
}

/**
 * The server at TEST_S3_ENDPOINT (with TEST_S3_ACCESS_KEY_ID and TEST_S3_SECRET_ACCESS_KEY), else the OpenStack Swift of
 * Debian, installed or downloaded for the tests alone. A sentence with the reason, where neither is available.
 */
export async function startS3Server(): Promise<S3Server | string> {
  const { TEST_S3_ENDPOINT, TEST_S3_REGION, TEST_S3_ACCESS_KEY_ID = '', TEST_S3_SECRET_ACCESS_KEY = '' } = process.env
  const bucket = `eep-test-${Date.now()}-${process.pid}`
  if (TEST_S3_ENDPOINT) {
    const server = {
      name: TEST_S3_ENDPOINT,
      endpoint: TEST_S3_ENDPOINT,
      region: TEST_S3_REGION ?? 'us-east-1',
      credentials: { accessKeyId: TEST_S3_ACCESS_KEY_ID, secretAccessKey: TEST_S3_SECRET_ACCESS_KEY },
      bucket,
      stop: async () => {},
    }
    await prepare(server)
    return server
  }
  try {
    return await startSwift(bucket)
  } catch (error) {
    return `no S3-compatible server: set TEST_S3_ENDPOINT. Swift: ${error instanceof Error ? error.message : error}`
  }
}

async function startSwift(bucket: string): Promise<S3Server> {
  const env = await swiftEnvironment()
  const directory = await mkdtemp(join(tmpdir(), 'eep-swift-'))
  const child = spawn(PYTHON, [program, directory], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
    }
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    const server = {
      name: 'Swift',
      endpoint: `http://127.0.0.1:${await firstLineOf(child)}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test:tester', secretAccessKey: 'testing' },
      bucket,
      stop,
    }
    await prepare(server)
    return server
  } catch (error) {
    await stop()
    throw error
  }
}

async function firstLineOf(child: ChildProcess): Promise<string> {
  let complaint = ''
  child.stderr?.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-2_000)
  })
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) return line
  throw new Error(complaint || 'it ended before it listened')
}

/** A client as it has to be for stores that are not AWS. */
export const clientFor = ({ endpoint, region, credentials }: Omit<S3Server, 'name' | 'stop'>): S3Client =>
  new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })

/** Makes the bucket, and sees that something can be put into it: Swift wants a disk with attributes, for one. */
async function prepare(server: Omit<S3Server, 'name' | 'stop'>): Promise<void> {
  const client = clientFor(server)
  const { bucket } = server
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'probe', Body: 'probe' }))
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'probe' }))
  client.destroy()
}

/** An environment in which Python finds Swift: the system's own, or one with the packages unpacked beside our own. */
async function swiftEnvironment(): Promise<NodeJS.ProcessEnv> {
  const clean = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' }
  if (!existsSync(PYTHON)) throw new Error(`there is no ${PYTHON}`)
  if (await hasSwift(clean)) return clean
  if (!existsSync(cache)) await unpackPackages(PACKAGES, cache)
  const [libraries = ''] = (await readdir(join(cache, 'usr/lib'))).filter((name) => name.endsWith('-linux-gnu'))
  const env = {
    ...clean,
    PYTHONPATH: join(cache, 'usr/lib/python3/dist-packages'),
    LD_LIBRARY_PATH: join(cache, 'usr/lib', libraries),
  }
  if (!(await hasSwift(env))) throw new Error(`the packages in ${cache} do not load`)
  return env
}

const hasSwift = (env: NodeJS.ProcessEnv) =>
  run(PYTHON, ['-c', 'import swift.proxy.server, swift.obj.server, swift.common.middleware.s3api.s3api'], { env }).then(
    () => true,
    () => false,
  )
