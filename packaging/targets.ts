/** A platform that a release has an executable for. Both package files are below `packaging/parts/node_modules`. */
export type Target = {
  /** As it stands in file names: operating system, processor, and what sets it apart from the usual one. */
  readonly name: string
  /** Bun's name of it. */
  readonly compile: Bun.Build.CompileTarget
  /** File of Bun itself, with its npm package in front. */
  readonly runtime: string
  /** File of LMDB's native addon, likewise. */
  readonly addon: string
}

const ofLinux = (arch: 'x64' | 'arm64', libc: 'glibc' | 'musl', baseline = false): Target => {
  const name = `linux-${arch}${libc === 'musl' ? '-musl' : ''}${baseline ? '-baseline' : ''}`
  return {
    name,
    compile: `bun-${name}` as Bun.Build.CompileTarget,
    runtime: `@oven/bun-${name.replace('arm64', 'aarch64')}/bin/bun`,
    addon: `@lmdb/lmdb-linux-${arch}/node.napi.${libc}.node`,
  }
}

/** All platforms of a release. `baseline` is for x64 processors without AVX2. */
export const TARGETS: readonly Target[] = [
  ofLinux('x64', 'glibc'),
  ofLinux('x64', 'glibc', true),
  ofLinux('x64', 'musl'),
  ofLinux('x64', 'musl', true),
  ofLinux('arm64', 'glibc'),
  ofLinux('arm64', 'musl'),
  {
    name: 'darwin-arm64',
    compile: 'bun-darwin-arm64',
    runtime: '@oven/bun-darwin-aarch64/bin/bun',
    addon: '@lmdb/lmdb-darwin-arm64/node.napi.node',
  },
]

/** `@scope/name` or `name`, of a path that begins with it. */
export const packageOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')
