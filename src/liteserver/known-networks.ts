import { MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import type { GlobalConfig } from './global-config.ts'

type Hashes = readonly [seqno: number, rootHash: string, fileHash: string]
interface Known {
  /** Address, port, Ed25519 key in base64. */
  readonly liteservers: readonly (readonly [string, number, string])[]
  readonly zeroState: Hashes
  readonly initBlock: Hashes
}

/** The public networks: liteservers that anyone may ask, zero state, and a key block that trust may start from. */
const NETWORKS = {
  mainnet: {
    liteservers: [
      ['5.9.10.47', 19949, 'n4VDnSCUuSpjnCyUk9e3QOOd6o0ItSWYbTnW3Wnn8wk='],
      ['5.9.10.15', 48014, '3XO67K/qi+gu3T9v8G2hx1yNmWZhccL3O7SoosFo8G0='],
      ['135.181.177.59', 53312, 'aF91CuUHuuOv9rm2W5+O/4h38M3sRm40DtSdRxQhmtQ='],
      ['135.181.140.212', 13206, 'K0t3+IWLOXHYMvMcrGZDPs+pn58a17LFbnXoQkKc2xw='],
      ['135.181.140.221', 46995, 'wQE0MVhXNWUXpWiW5Bk8cAirIh5NNG3cZM1/fSVKIts='],
      ['65.21.141.233', 30131, 'wrQaeIFispPfHndEBc0s0fx7GSp8UFFvebnytQQfc6A='],
      ['65.21.141.198', 47160, 'vOe1Xqt/1AQ2Z56Pr+1Rnw+f0NmAA7rNCZFIHeChB7o='],
      ['65.21.141.231', 17728, 'BYSVpL7aPk0kU5CtlsIae/8mf2B/NrBi7DKmepcjX6Q='],
      ['65.21.141.197', 13570, 'iVQH71cymoNgnrhOT35tl/Y7k86X5iVuu5Vf68KmifQ='],
      ['164.68.101.206', 52995, 'QnGFe9kihW+TKacEvvxFWqVXeRxCB6ChjjhNTrL7+/k='],
      ['164.68.99.144', 20334, 'gyLh12v4hBRtyBygvvbbO2HqEtgl+ojpeRJKt4gkMq0='],
      ['188.68.216.239', 19925, 'ucho5bEkufbKN1JR1BGHpkObq602whJn3Q3UwhtgSo4='],
      ['51.195.189.59', 19434, 'J5CwYXuCZWVPgiFPW+NY2roBwDWpRRtANHSTYTRSVtI='],
      ['51.195.189.140', 23067, 'vX8d0i31zB0prVuZK8fBkt37WnEpuEHrb7PElk4FJ1o='],
      ['135.181.132.198', 53560, 'NlYhh/xf4uQpE+7EzgorPHqIaqildznrpajJTRRH2HU='],
      ['135.181.132.253', 46529, 'jLO6yoooqUQqg4/1QXflpv2qGCoXmzZCR+bOsYJ2hxw='],
      ['54.39.158.156', 51565, 'TDg+ILLlRugRB4Kpg3wXjPcoc+d+Eeb7kuVe16CS9z8='],
      ['185.86.79.9', 4701, 'G6cNAr6wXBBByWDzddEWP5xMFsAcp6y13fXA8Q7EJlM='],
    ],
    zeroState: [0, 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=', 'XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24='],
    initBlock: [
      46894135,
      'MEjmmhLPlG68mbTPnKYcP/Sz/MiMQBV2OsASBOzBv58=',
      'u9rAtFQ+kUFEnOs3w8Y7punMTiyQTXf1bRfkSs8dG+0=',
    ],
  },
  testnet: {
    liteservers: [
      ['49.12.147.32', 27842, 'sU7QavX2F964iI9oToP9gffQpCQIoOLppeqL/pdPvpM='],
      ['168.119.95.207', 27787, 'Y/QVf6G5VDiKTZOKitbFVm067WsuocTN8Vg036A4zGk='],
      ['168.119.82.221', 51088, 'Sy5ghr3EahQd/1rDayzZXt5+inlfF+7kLfkZDJcU/ek='],
      ['109.236.80.17', 37537, 'K1F7zEe0ETf+SwkefLS56hJE8x42sjCVsBJJuaY7nEA='],
      ['109.236.80.69', 34411, 'pOpRRpIxDuMRm1qFUPpvVjD62vo8azkO0npw4FPcW/I='],
      ['62.112.8.51', 37649, 'pRf2sAa7d+Chl8gDclWOMtthtxjKnLYeAIzk869mMvA='],
      ['94.237.45.107', 13833, 'QpVqQiv1u3nCHuBR3cg3fT6NqaFLlnLGbEgtBRukDpU='],
      ['69.67.151.218', 35939, '97y55AkdzXWyyVuOAn+WX6p66XTNs2hEGG0jFUOkCIo='],
      ['178.63.63.122', 20700, 'dGLlRRai3K9FGkI0dhABmFHMv+92QEVrvmTrFf5fbqA='],
      ['116.202.225.189', 20700, '24RL7iVI20qcG+j//URfd/XFeEG9qtezW2wqaYQgVKw='],
      ['207.188.7.51', 20700, 'vunMV7K35yPlTQPx/Fqk6s+4/h5lpcbP+ao0Cy3M2hw='],
      ['65.108.141.177', 17439, '0MIADpLH4VQn+INHfm0FxGiuZZAA8JfTujRqQugkkA8='],
      ['65.21.238.183', 16351, 'Mf/JGvcWAvcrN3oheze8RF/ps6p7oL6ifrIzFmGQFQ8='],
    ],
    zeroState: [0, 'gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=', 'Z+IKwYS54DmmJmesw/nAD5DzWadnOCMzee+kdgSYDOg='],
    initBlock: [
      17908219,
      'y6qWqhCnLgzWHjUFmXysaiOljuK5xVoCRMLzUwGInVM=',
      'Y/GziXxwuYte0AM4WT7tTWsCx+6rcfLpGmRaEQwhUKI=',
    ],
  },
} as const satisfies Record<string, Known>

export type NetworkName = keyof typeof NETWORKS

const blockId = ([seqno, root, file]: Hashes) => ({
  workchain: MASTERCHAIN,
  shard: SHARD_ALL,
  seqno,
  root_hash: Buffer.from(root, 'base64'),
  file_hash: Buffer.from(file, 'base64'),
})

/** The configuration of a public network that is built in (as of June 2026 for mainnet, February 2025 for testnet). */
export const knownNetwork = (name: NetworkName): GlobalConfig => {
  const known: Known = NETWORKS[name]
  return {
    liteservers: known.liteservers.map(([host, port, key]) => ({ host, port, key: Buffer.from(key, 'base64') })),
    zeroState: blockId(known.zeroState),
    initBlock: blockId(known.initBlock),
  }
}
