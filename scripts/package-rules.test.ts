import { describe, expect, it } from 'vitest'
import { lastRelease } from './check-upgrade.ts'
import { type PackedManifest, type PackedPackage, packageProblems } from './package-rules.ts'

const manifest: PackedManifest = {
  name: '@eep/sample',
  version: '0.1.0',
  description: 'A sample.',
  keywords: ['eep'],
  homepage: 'https://example.com/',
  bugs: { url: 'https://example.com/issues' },
  repository: { type: 'git', url: 'git+https://example.com/eep.git', directory: 'packages/sample' },
  license: 'Apache-2.0',
  author: 'The EEP authors',
  engines: { node: '>=22.18' },
  publishConfig: { access: 'public', provenance: true },
  dependencies: { kysely: '^0.29.9', boss: '~12.35.0' },
  peerDependencies: { '@eep/core': '^0.1.0', sharp: '>=0.35.0 <0.36.0' },
}
const readme = `# @eep/sample

\`\`\`sh
npm install @eep/sample @eep/core
npm install sharp # optional
\`\`\`

See [the docs](https://example.com/docs) and [below](#below).

\`\`\`ts
handlers[0](event)
\`\`\`
`
const sample: PackedPackage = {
  manifest,
  files: ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist/index.js'],
  readme,
}
const withManifest = (change: Partial<PackedManifest>) =>
  packageProblems({ ...sample, manifest: { ...manifest, ...change } })

describe('a package to publish', () => {
  it('accepts a package without omissions', () => {
    expect(packageProblems(sample)).toEqual([])
  })

  it.each(['1.2.3', '=1.2.3', 'v1.2.3', '1.2.3-beta.1', 'npm:other@1.2.3'])(
    'rejects a dependency pinned to %s',
    (version) => {
      expect(withManifest({ dependencies: { viem: version } })).toEqual([expect.stringContaining('viem is pinned to')])
      expect(withManifest({ peerDependencies: { sharp: version } })).toEqual([
        expect.stringContaining('sharp is pinned to'),
      ])
    },
  )

  it.each(['catalog:', 'workspace:^', 'file:../core', '*', 'latest'])('rejects a dependency on %s', (version) => {
    expect(withManifest({ dependencies: { viem: version } })).toEqual([expect.stringContaining('is not a range')])
  })

  it('requires the origin in each field that npm shows', () => {
    const { homepage, bugs, repository, author, keywords, ...rest } = manifest
    const problems = packageProblems({ ...sample, manifest: rest })
    for (const field of ['homepage', 'bugs', 'repository', 'author', 'keywords']) {
      expect(problems).toContain(`@eep/sample: package.json has no ${field}`)
    }
  })

  it('requires public access and provenance', () => {
    expect(withManifest({ publishConfig: {} })).toEqual([
      expect.stringContaining('publishConfig.access'),
      expect.stringContaining('publishConfig.provenance'),
    ])
  })

  it('requires license and changelog, and rejects sources and tests', () => {
    const problems = packageProblems({
      ...sample,
      files: ['package.json', 'README.md', 'dist/index.js', 'src/index.ts'],
    })
    expect(problems).toEqual([
      '@eep/sample: the tarball has no LICENSE',
      '@eep/sample: the tarball has no CHANGELOG.md',
      '@eep/sample: the tarball has src/index.ts, which is of no use there',
    ])
  })

  it('requires a README with absolute links, an install line and every peer dependency', () => {
    const relative =
      'See [this](../../docs/guides/files.md) and [that](LICENSE).\n[ref]: ./other.md\n<img src="logo.png">'
    expect(packageProblems({ ...sample, readme: relative })).toEqual([
      ...['../../docs/guides/files.md', 'LICENSE', './other.md', 'logo.png'].map((link) =>
        expect.stringContaining(`links to ${link},`),
      ),
      expect.stringContaining('npm install'),
      expect.stringContaining('peer dependency @eep/core'),
      expect.stringContaining('peer dependency sharp'),
    ])
  })
})

describe('the last release', () => {
  it('is the tag of core with the highest version, without prereleases', () => {
    const tags = [
      '@eep/core@0.9.0',
      '@eep/core@0.10.0',
      '@eep/core@0.10.1-rc.1',
      '@eep/adapters-s3@1.0.0',
      'v9.0.0',
      '',
    ]
    expect(lastRelease(tags)).toBe('@eep/core@0.10.0')
    expect(lastRelease([...tags, '@eep/core@0.10.2', '@eep/core@0.2.20'])).toBe('@eep/core@0.10.2')
  })

  it('does not exist before the first tag', () => {
    expect(lastRelease([])).toBeUndefined()
    expect(lastRelease(['before-the-rewrite', '@eep/core@next'])).toBeUndefined()
  })
})
