// What a package must be like before it is published. Judged on what is packed, because pnpm rewrites the manifest there.

export interface PackedPackage {
  readonly manifest: PackedManifest
  /** Paths inside the tarball, such as `dist/index.js`. */
  readonly files: readonly string[]
  readonly readme: string
}

type Versions = Readonly<Record<string, string>>

export interface PackedManifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly homepage?: string
  readonly bugs?: { readonly url?: string }
  readonly repository?: { readonly type?: string; readonly url?: string; readonly directory?: string }
  readonly license?: string
  readonly author?: string
  readonly engines?: Versions
  readonly publishConfig?: Readonly<Record<string, unknown>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly optionalDependencies?: Versions
  readonly peerDependencies?: Versions
}

const ALWAYS = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']
const FIELDS = ['description', 'keywords', 'homepage', 'bugs', 'repository', 'license', 'author', 'engines'] as const

/** One sentence for each thing that is wrong with a package; none when it may be published. */
export function packageProblems({ manifest, files, readme }: PackedPackage): readonly string[] {
  return [
    ...FIELDS.filter((field) => manifest[field] === undefined).map((field) => `package.json has no ${field}`),
    ...publishingProblems(manifest),
    ...fileProblems(files),
    ...versionProblems(manifest),
    ...readmeProblems(manifest, readme),
  ].map((problem) => `${manifest.name}: ${problem}`)
}

function* publishingProblems({ publishConfig = {}, repository }: PackedManifest) {
  if (publishConfig.access !== 'public')
    yield 'publishConfig.access is not public, and a scoped package is private then'
  if (publishConfig.provenance !== true) yield 'publishConfig.provenance is not true'
  // The registry refuses a provenance statement of another repository.
  if (!/^git\+https:\/\/\S+\.git$/.test(repository?.url ?? '')) yield 'repository.url is not git+https://….git'
  if (!repository?.directory) yield 'repository.directory is missing'
}

function* fileProblems(files: readonly string[]) {
  for (const file of ALWAYS) if (!files.includes(file)) yield `the tarball has no ${file}`
  for (const file of files) {
    if (!ALWAYS.includes(file) && !file.startsWith('dist/')) yield `the tarball has ${file}, which is of no use there`
  }
}

/** `1.2.3`, `=1.2.3` and `npm:name@1.2.3` allow one version only. */
const EXACT = /^(?:npm:.+@)?=?\s*v?\d+(?:\.\d+){2}(?:[-+]\S+)?$/
const RANGE = /^(?:npm:.+@)?(?:[\^~]|>=|<|\d)/

function* versionProblems({ dependencies, optionalDependencies, peerDependencies }: PackedManifest) {
  for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    if (EXACT.test(version)) yield `${name} is pinned to ${version}; users need a range to get fixes and to deduplicate`
    else if (!RANGE.test(version)) yield `${name} is ${version}, which is not a range of versions`
  }
}

const LINK = /\]\(\s*<?([^)\s>]+)|^\[[^\]]+\]:\s*(\S+)|(?:href|src)="([^"]+)"/gm

function* readmeProblems({ name, peerDependencies = {} }: PackedManifest, readme: string) {
  const prose = readme.replace(/^```[\s\S]*?^```$/gm, '')
  for (const [, inline, reference, attribute] of prose.matchAll(LINK)) {
    const link = inline ?? reference ?? attribute ?? ''
    if (!/^(?:https:|mailto:|#)/.test(link)) yield `README.md links to ${link}, which leads nowhere on npm`
  }
  const installs = readme.split('\n').filter((line) => /^npm install /.test(line))
  // npm runs a package that creates projects by its name without `create-`.
  const isRun = name.startsWith('create-') && readme.includes(`\nnpm create ${name.slice('create-'.length)}@latest `)
  if (!isRun && !installs.some((line) => line.split(' ').includes(name)))
    yield 'README.md has no line "npm install …" with its name'
  for (const peer of Object.keys(peerDependencies)) {
    if (!readme.includes(`\`${peer}\``) && !installs.some((line) => line.split(' ').includes(peer))) {
      yield `README.md does not name the peer dependency ${peer}`
    }
  }
}
