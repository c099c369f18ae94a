// purpose: integer intrinsics of SSE2 to AVX2, carry-less product, CRC-32C, bit fields and carries, on edges and noise
// flags: -mavx2 -mpclmul -msse4.2 -mbmi -mbmi2
// needs: avx2 pclmulqdq sse4_2 bmi1 bmi2
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static void fill(void *to, int round) {
  static const uint8_t edges[] = {0x00, 0x01, 0x7f, 0x80, 0x81, 0xff, 0xfe, 0x10};
  uint8_t *bytes = to;
  for (int i = 0; i < 32; ++i) bytes[i] = round % 2 ? (uint8_t)next() : edges[next() % 8];
}

static uint64_t sum;
static void mix(const void *from, size_t size) {
  const uint8_t *bytes = from;
  for (size_t i = 0; i < size; ++i) sum = (sum ^ bytes[i]) * 1099511628211u;
}

#define SHOW(name) (printf("%d %s %016llx\n", round, name, (unsigned long long)sum), sum = 14695981039346656037u)
#define V(call) do { const __m256i made = (call); mix(&made, 32); SHOW(#call); } while (0)
#define X(call) do { const __m128i made = (call); mix(&made, 16); SHOW(#call); } while (0)
#define N(call) do { const uint64_t made = (uint64_t)(call); mix(&made, 8); SHOW(#call); } while (0)

static void lanes(int round, __m256i a, __m256i b, __m128i p, __m128i q) {
  V(_mm256_avg_epu8(a, b)); V(_mm256_avg_epu16(a, b)); X(_mm_avg_epu8(p, q)); X(_mm_avg_epu16(p, q));
  V(_mm256_mulhi_epi16(a, b)); V(_mm256_mulhi_epu16(a, b)); X(_mm_mulhi_epi16(p, q)); X(_mm_mulhi_epu16(p, q));
  V(_mm256_mulhrs_epi16(a, b)); X(_mm_mulhrs_epi16(p, q));
  V(_mm256_sign_epi8(a, b)); V(_mm256_sign_epi16(a, b)); V(_mm256_sign_epi32(a, b)); X(_mm_sign_epi8(p, q));
  V(_mm256_madd_epi16(a, b)); V(_mm256_maddubs_epi16(a, b)); X(_mm_madd_epi16(p, q)); X(_mm_maddubs_epi16(p, q));
  V(_mm256_sad_epu8(a, b)); X(_mm_sad_epu8(p, q));
  V(_mm256_packs_epi16(a, b)); V(_mm256_packs_epi32(a, b)); V(_mm256_packus_epi16(a, b)); V(_mm256_packus_epi32(a, b));
  X(_mm_packs_epi16(p, q)); X(_mm_packs_epi32(p, q)); X(_mm_packus_epi16(p, q)); X(_mm_packus_epi32(p, q));
  V(_mm256_hadd_epi16(a, b)); V(_mm256_hadd_epi32(a, b)); V(_mm256_hadds_epi16(a, b)); X(_mm_hadds_epi16(p, q));
  V(_mm256_hsub_epi16(a, b)); V(_mm256_hsub_epi32(a, b)); V(_mm256_hsubs_epi16(a, b)); X(_mm_hsubs_epi16(p, q));
  V(_mm256_mul_epu32(a, b)); V(_mm256_mul_epi32(a, b)); V(_mm256_adds_epu8(a, b)); V(_mm256_subs_epi16(a, b));
  V(_mm256_abs_epi8(a)); V(_mm256_cmpgt_epi8(a, b)); V(_mm256_min_epu8(a, b)); V(_mm256_max_epi32(a, b));
}

static void shifts(int round, __m256i a, __m256i b, __m128i p) {
  for (int i = 0; i < 5; ++i) {
    static const int counts[] = {0, 3, 15, 16, 70};
    const int n = counts[i];
    const __m128i c = _mm_cvtsi32_si128(n);
    V(_mm256_sll_epi16(a, c)); V(_mm256_sll_epi32(a, c)); V(_mm256_sll_epi64(a, c)); X(_mm_sll_epi32(p, c));
    V(_mm256_srl_epi16(a, c)); V(_mm256_srl_epi32(a, c)); V(_mm256_srl_epi64(a, c)); X(_mm_srl_epi64(p, c));
    V(_mm256_sra_epi16(a, c)); V(_mm256_sra_epi32(a, c)); X(_mm_sra_epi16(p, c));
    V(_mm256_slli_epi16(a, n)); V(_mm256_slli_epi32(a, n)); V(_mm256_slli_epi64(a, n)); X(_mm_slli_epi16(p, n));
    V(_mm256_srli_epi16(a, n)); V(_mm256_srli_epi32(a, n)); V(_mm256_srli_epi64(a, n)); X(_mm_srli_epi32(p, n));
    V(_mm256_srai_epi16(a, n)); V(_mm256_srai_epi32(a, n)); X(_mm_srai_epi32(p, n));
  }
  const __m128i upper_alone = _mm_set_epi64x(1, 0);
  V(_mm256_sll_epi32(a, upper_alone));
  V(_mm256_sll_epi16(a, _mm_set_epi64x(0, 1ll << 32)));
  const __m256i few = _mm256_and_si256(b, _mm256_set1_epi32(63)), some = _mm256_srli_epi64(b, 57);
  V(_mm256_sllv_epi32(a, few)); V(_mm256_srlv_epi32(a, few)); V(_mm256_srav_epi32(a, few));
  V(_mm256_sllv_epi64(a, some)); V(_mm256_srlv_epi64(a, some)); V(_mm256_sllv_epi32(a, b));
  V(_mm256_slli_si256(a, 5)); V(_mm256_alignr_epi8(a, b, 9));
}

static void choices(int round, __m256i a, __m256i b, __m128i p, __m128i q) {
  V(_mm256_shuffle_epi8(a, b)); X(_mm_shuffle_epi8(p, q));
  X(_mm_shuffle_epi8(p, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, -1, 9, 10, 11, 12, 0x1d, 14, 15)));
  V(_mm256_permutevar8x32_epi32(a, b)); V(_mm256_blendv_epi8(a, b, _mm256_xor_si256(a, b))); X(_mm_blendv_epi8(p, q, p));
  V(_mm256_castps_si256(_mm256_permutevar8x32_ps(_mm256_castsi256_ps(a), b)));
  V(_mm256_castps_si256(_mm256_permutevar_ps(_mm256_castsi256_ps(a), b)));
  V(_mm256_castpd_si256(_mm256_permutevar_pd(_mm256_castsi256_pd(a), b)));
  V(_mm256_castpd_si256(_mm256_blendv_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b), _mm256_castsi256_pd(a))));
  X(_mm_castps_si128(_mm_blendv_ps(_mm_castsi128_ps(p), _mm_castsi128_ps(q), _mm_castsi128_ps(q))));
  N(_mm256_movemask_epi8(a)); N(_mm_movemask_epi8(p)); N(_mm256_movemask_ps(_mm256_castsi256_ps(a)));
  N(_mm_movemask_ps(_mm_castsi128_ps(p))); N(_mm_movemask_pd(_mm_castsi128_pd(p)));
  const __m256i none = _mm256_andnot_si256(a, b);
  N(_mm256_testz_si256(a, b)); N(_mm256_testz_si256(a, none)); N(_mm_testz_si128(p, q));
  N(_mm256_testc_si256(a, b)); N(_mm256_testc_si256(a, _mm256_and_si256(a, b))); N(_mm_testc_si128(p, p));
  N(_mm256_testnzc_si256(a, b)); N(_mm256_testnzc_si256(a, none)); N(_mm_testnzc_si128(p, p));
}

static void numbers(int round, __m128i p, __m128i q, const uint64_t *w) {
  X(_mm_clmulepi64_si128(p, q, 0x00)); X(_mm_clmulepi64_si128(p, q, 0x01));
  X(_mm_clmulepi64_si128(p, q, 0x10)); X(_mm_clmulepi64_si128(p, q, 0x11));
  X(_mm_clmulepi64_si128(p, _mm_set_epi64x(0x8833794c, 0xe6228b11), 0x10));
  X(_mm_clmulepi64_si128(_mm_set_epi64x(0, 0xe8a45605), q, 0x10));
  N(_mm_crc32_u8((uint32_t)w[0], (uint8_t)w[1])); N(_mm_crc32_u16((uint32_t)w[0], (uint16_t)w[1]));
  N(_mm_crc32_u32((uint32_t)w[0], (uint32_t)w[1])); N(_mm_crc32_u64(w[0], w[1]));
  N(_pext_u32((uint32_t)w[0], (uint32_t)w[1])); N(_pext_u64(w[0], w[1]));
  N(_pdep_u32((uint32_t)w[0], (uint32_t)w[1])); N(_pdep_u64(w[0], w[1]));
  for (unsigned n = 0; n < 80; n += 13) {
    N(_bzhi_u32((uint32_t)w[0], n)); N(_bzhi_u64(w[0], n));
    N(__bextr_u32((uint32_t)w[0], n | 7 << 8)); N(__bextr_u64(w[0], n / 2 | (uint64_t)n << 8));
  }
  for (int carry = 0; carry < 3; ++carry) {
    unsigned long long wide;
    unsigned narrow;
    N(_addcarry_u64((unsigned char)carry, w[0], w[1], &wide)); N(wide);
    N(_subborrow_u64((unsigned char)carry, w[0], w[1], &wide)); N(wide);
    N(_addcarry_u32((unsigned char)carry, (unsigned)w[0], (unsigned)w[1], &narrow)); N(narrow);
    N(_subborrow_u32((unsigned char)carry, (unsigned)w[0], (unsigned)w[0], &narrow)); N(narrow);
  }
}

int main(void) {
  for (int round = 0; round < 6; ++round) {
    __m256i a, b;
    __m128i p, q;
    uint64_t words[4];
    fill(&a, round), fill(&b, round), fill(words, round);
    memcpy(&p, words, 16), memcpy(&q, words + 2, 16);
    SHOW("start");
    lanes(round, a, b, p, q);
    shifts(round, a, b, p);
    choices(round, a, b, p, q);
    numbers(round, p, q, words);
  }
  _mm256_zeroupper();
  return 0;
}
