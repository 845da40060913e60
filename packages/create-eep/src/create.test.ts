import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCreate } from './create.ts'
import { FEATURES } from './features.ts'
import type { Prompts } from './questions.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'create-eep-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Runs the program without installing, and returns what it did. */
async function create(args: readonly string[], prompts?: Prompts) {
  const out: string[] = []
  const err: string[] = []
  const code = await runCreate([...args, '--no-install'], {
    directory,
    prompts,
    userAgent: 'npm/11.0.0 node/v24.0.0',
    version: '1.2.3',
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(directory, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(join(directory, folder).length + 1))
    .toSorted()
const read = (path: string) => readFileSync(join(directory, path), 'utf8')

/** Answers questions in their order. An undefined answer cancels. */
function answering(...answers: readonly (string | readonly string[] | undefined)[]): Prompts {
  const left = [...answers]
  const text = async () => {
    const answer = left.shift()
    return typeof answer === 'string' ? answer : undefined
  }
  const texts = async () => {
    const answer = left.shift()
    return typeof answer === 'string' ? undefined : answer
  }
  return { text, choose: text, chooseMany: texts }
}

describe('a new project', () => {
  it('has at most ten files, each explained in its first line', async () => {
    expect((await create(['my-app', '--yes'])).code).toBe(0)
    const files = filesIn('my-app')
    expect(files).toHaveLength(10)
    for (const file of files.filter((each) => each !== 'package.json')) {
      expect(read(`my-app/${file}`).split('\n')[0], file).toMatch(/^(?:\/\/|#) /)
    }
    expect(read('my-app/README.md')).toContain('`package.json`')
  })

  it('has new secrets that only their owner may read, and that git leaves out', async () => {
    await create(['one', '--yes'])
    await create(['two', '--yes'])
    expect(statSync(join(directory, 'one/.env')).mode & 0o777).toBe(0o600)
    expect(read('one/.gitignore').split('\n')).toContain('.env')
    const secretOf = (name: string) => /^EEP_SECRET=(.{64})$/m.exec(read(`${name}/.env`))?.[1]
    expect(secretOf('one')).toBeDefined()
    expect(secretOf('one')).not.toBe(secretOf('two'))
    expect(JSON.parse(/^EEP_SIGNING_KEY=(.*)$/m.exec(read('one/.env'))?.[1] ?? '')).toMatchObject({ crv: 'Ed25519' })
  })

  it('installs the packages of its features and of this release', async () => {
    await create(['my-app', '--yes', '--modules', 'passkeys', '--payments', 'x402', '--money', 'test'])
    const { dependencies, name } = JSON.parse(read('my-app/package.json'))
    expect(name).toBe('my-app')
    expect(dependencies).toMatchObject({ '@eep/core': '^1.2.3', '@eep/payments-x402': '^1.2.3' })
    expect(dependencies).toHaveProperty(['@simplewebauthn/server'])
    expect(dependencies).not.toHaveProperty(['@eep/payments-card'])
    expect(dependencies).not.toHaveProperty(['yazl'])
  })

  it('adds the features that a feature needs', async () => {
    await create(['my-app', '--yes', '--modules', 'insights'])
    expect(read('my-app/src/host.ts')).toMatch(/analytics\(\),\n\s+insights\(\),/)
  })

  it('keeps the variables of its payment methods switched off until they are set', async () => {
    await create(['my-app', '--yes', '--payments', 'stripe,x402', '--money', 'real'])
    const lines = read('my-app/.env').split('\n')
    expect(lines).toContain('# X402_NETWORK=eip155:8453')
    expect(lines).toContain('# STRIPE_SECRET_KEY=sk_live_')
    expect(lines.filter((line) => /^(?:X402|STRIPE)_/.test(line))).toEqual([])
  })

  it('is written for pnpm when pnpm runs the program', async () => {
    await create(['my-app', '--yes', '--package-manager', 'pnpm'])
    expect(filesIn('my-app')).toContain('pnpm-workspace.yaml')
    expect(filesIn('my-app')).toHaveLength(10)
  })

  it('is named after its folder, also when that is the present one', async () => {
    expect((await create(['.', '--yes'])).code).toBe(0)
    expect(directory.toLowerCase()).toContain(JSON.parse(read('package.json')).name)
  })

  it('overwrites no file, and writes nothing when one exists', async () => {
    mkdirSync(join(directory, 'my-app'))
    writeFileSync(join(directory, 'my-app/.env'), 'MINE=1')
    const { code, err } = await create(['my-app', '--yes'])
    expect([code, err]).toEqual([2, expect.stringContaining('.env already exists')])
    expect(filesIn('my-app')).toEqual(['.env'])
    expect(read('my-app/.env')).toBe('MINE=1')
  })
})

describe('--packages', () => {
  const NAMES = ['core', 'adapters-postgres', 'payments-x402', 'payments-card']
  const pack = (names: readonly string[]) => {
    mkdirSync(join(directory, 'packed'))
    for (const name of names) writeFileSync(join(directory, 'packed', `eep-${name}-1.2.3.tgz`), name)
  }

  it('copies the tarballs that the project needs, and installs them', async () => {
    pack([...NAMES, 'core-extras'])
    expect((await create(['my-app', '--yes', '--packages', 'packed'])).code).toBe(0)
    expect(filesIn('my-app/packages')).toEqual(NAMES.map((name) => `eep-${name}-1.2.3.tgz`).toSorted())
    expect(read('my-app/packages/eep-core-1.2.3.tgz')).toBe('core')
    const { dependencies } = JSON.parse(read('my-app/package.json'))
    expect(dependencies['@eep/core']).toBe('file:packages/eep-core-1.2.3.tgz')
  })

  it('overwrites no tarball', async () => {
    pack(NAMES)
    mkdirSync(join(directory, 'my-app/packages'), { recursive: true })
    writeFileSync(join(directory, 'my-app/packages/eep-core-1.2.3.tgz'), 'mine')
    const { code, err } = await create(['my-app', '--yes', '--packages', 'packed'])
    expect([code, err]).toEqual([2, expect.stringContaining('packages/eep-core-1.2.3.tgz already exists')])
    expect(filesIn('my-app')).toEqual(['packages/eep-core-1.2.3.tgz'])
  })
})

describe('the command line', () => {
  it.each<[string, readonly string[], string]>([
    ['the sandbox beside a rail', ['--payments', 'sandbox,x402'], 'A host is a sandbox or takes money'],
    ['an unknown rail', ['--payments', 'cash'], '--payments "cash" is none of x402, stripe'],
    ['money without a rail', ['--money', 'real'], '--money is for --payments x402 or stripe'],
    ['an unknown kind of money', ['--payments', 'x402', '--money', 'play'], '--money "play" is none of test, real'],
    ['an unknown database', ['--database', 'mysql'], '--database "mysql" is none of pglite, postgres'],
    ['an unknown feature', ['--modules', 'passkey'], '--modules names "passkey", which is not a feature'],
    ['everything beside a feature', ['--modules', 'everything,passkeys'], '--modules is base, everything, or names'],
    ['an unknown package manager', ['--package-manager', 'bower'], '--package-manager "bower" is none of npm, pnpm'],
    ['an unknown option', ['--colour'], "Unknown option '--colour'"],
    ['two folders', ['other'], 'Expected one folder'],
    ['a folder without tarballs', ['--packages', '.'], 'has no tarball'],
  ])('refuses %s, and writes nothing', async (_, args, message) => {
    const { code, err } = await create(['my-app', '--yes', ...args])
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(readdirSync(directory)).toEqual([])
  })

  it.each([
    ['a folder', []],
    ['--database', ['my-app']],
    ['--payments', ['my-app', '--database', 'pglite']],
    ['--money', ['my-app', '--database', 'pglite', '--payments', 'x402']],
    ['--modules', ['my-app', '--database', 'pglite', '--payments', 'sandbox']],
  ])('requires %s without a terminal', async (missing, args) => {
    const { code, err } = await create(args)
    expect([code, err]).toEqual([2, `Without a terminal, ${missing} is needed; --yes takes the defaults`])
  })

  it('shows its options and features with --help', async () => {
    const { code, out } = await create(['--help'])
    expect(code).toBe(0)
    for (const { name } of FEATURES) expect(out).toContain(name)
  })
})

describe('the questions', () => {
  it('decide the project', async () => {
    const prompts = answering('asked', 'postgres', 'x402,stripe', 'test', 'pick', ['passkeys'])
    const { code, err } = await create([], prompts)
    expect([code, err]).toEqual([0, ''])
    expect(read('asked/.env')).toContain('DATABASE_URL=postgres://')
    expect(read('asked/src/host.ts')).toContain('    passkeys(),\n')
  })

  it('write nothing when the person cancels', async () => {
    const { code, err } = await create([], answering('asked', undefined))
    expect([code, err]).toEqual([1, 'Nothing was written.'])
    expect(readdirSync(directory)).toEqual([])
  })
})

describe('an addition to an app', () => {
  const writeApp = (manifest: object) => writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest))

  it('writes the service, a test and its variables, and names the lines to add', async () => {
    writeApp({ type: 'module', dependencies: { fastify: '^5.0.0' } })
    const { code, out } = await create(['--add', '--yes'])
    expect(code).toBe(0)
    expect(filesIn('.')).toEqual(['.env.eep', 'package.json', 'src/eep.sale.test.ts', 'src/eep.ts'])
    for (const line of ['npm install @eep/adapters-postgres@^1.2.3', 'await addEep(app)']) expect(out).toContain(line)
    expect(out).toContain('Add .env.eep to .gitignore')
  })

  it('does not ask for a line in .gitignore that is there', async () => {
    writeApp({ type: 'module', dependencies: { fastify: '^5.0.0' } })
    writeFileSync(join(directory, '.gitignore'), 'node_modules\n.env*\n')
    expect((await create(['--add', '--yes'])).out).not.toContain('.gitignore')
  })

  it.each([
    ['a folder without an app', undefined, 'has no package.json'],
    ['an app without Fastify', { type: 'module', dependencies: { express: '5' } }, 'does not depend on fastify'],
    ['an app of CommonJS', { dependencies: { fastify: '^5.0.0' } }, 'set "type": "module"'],
  ])('refuses %s', async (_, manifest, message) => {
    if (manifest) writeApp(manifest)
    const { code, err } = await create(['--add', '--yes'])
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})
