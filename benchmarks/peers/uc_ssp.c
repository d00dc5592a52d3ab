/* UC-SSP in plain C, for the benchmark of learning: what compiled Python is measured against.

   Algorithms 1 and 2 of [tarbouriech2020] with the constants of its experiments, in a program that can do nothing else:

   - Counts are sparse: a pair has a list of the successors that it has shown, in a pool that all pairs share.
   - The most hopeful model in a confidence set gives each successor its least probability, and what is left to the goal, then to the cheapest states, each
     up to its most. So it depends on the values through their order alone. A row is written when its counts change, or when the order changes at the place
     where nothing is left any more; a sweep is a sparse product.
   - Extended value iteration starts from zero (cold), or from the last values, shrunk until they are certain to be optimistic (warm).

       uc_ssp MODEL l1|bernstein warm|cold EPISODES RUNS SEED

   prints an object in JSON. Only the runs are timed. They allocate nothing, unless the pool has to grow. Vectorised loops are slower: rows are too short.

   Suffixes of arrays: _s a state, _x a pair (state, action), _i a slot of the pool. The goal is the state after the last, and its value is 0. */

#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DELTA 0.1   /* 1 - confidence */
#define TIE 1e-12   /* actions whose values differ by less, relatively, are equal */
#define ROOM 4      /* slots of a list when it is made */
#define RADII 65536 /* numbers of visits whose radii are in a table */
#define INLINE static inline __attribute__((always_inline)) /* `box` and `warm` are constants: each set and start has its own machine code */
#define NEW(array, count) ((array) = resized(NULL, 0, count, sizeof *(array)))
#define GROW(array, count, larger) ((array) = resized(array, count, larger, sizeof *(array)))

static void fail(const char *why, const char *what) {
    fprintf(stderr, "uc_ssp: %s%s\n", why, what);
    exit(EXIT_FAILURE);
}

static void *resized(void *memory, int64_t count, int64_t larger, size_t size) {
    char *resized = realloc(memory, (size_t)larger * size);
    if (!resized) fail("out of memory", "");
    memset(resized + (size_t)count * size, 0, (size_t)(larger - count) * size);
    return resized;
}

/* ---- Random numbers: PCG64, the generator of 128 bits whose output is XSL-RR. */

typedef struct { unsigned __int128 state, increment; } Random;

INLINE uint64_t draw(Random *random) {
    random->state = random->state * (((unsigned __int128)2549297995355413924u << 64) | 4865540595714422341u) + random->increment;
    const uint64_t folded = (uint64_t)(random->state >> 64) ^ (uint64_t)random->state;
    const unsigned turn = (unsigned)(random->state >> 122);
    return folded >> turn | folded << (-turn & 63);
}

static uint64_t split_mix(uint64_t *seed) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static Random seeded(uint64_t seed, uint64_t run, uint64_t stream) {
    uint64_t mixed = split_mix(&seed) ^ run, word[4];
    mixed = split_mix(&mixed) ^ stream;
    for (int i = 0; i < 4; i++) word[i] = split_mix(&mixed);
    return (Random){(unsigned __int128)word[0] << 64 | word[1], (unsigned __int128)word[2] << 64 | word[3] | 1};
}

/* ---- The environment. */

typedef struct {
    int64_t states, pairs, entries, start; /* states: without the goal */
    int64_t *first_pair, *row_ptr;         /* pair x of state s: first_pair[s] <= x < first_pair[s + 1]; its successors: row_ptr[x] <= i < row_ptr[x + 1] */
    int32_t *next_state;
    uint64_t *below;                       /* i is the successor if a 64-bit number is at most this and no earlier one was */
    double *cost_x;
} Model;

static void read_array(FILE *file, void *target, size_t size, int64_t count) {
    if (fread(target, size, (size_t)count, file) != (size_t)count) fail("the model's file is too short", "");
}

static Model read_model(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("cannot read ", path);
    Model m;
    double *probability;
    read_array(file, &m, sizeof(int64_t), 4);
    read_array(file, NEW(m.first_pair, m.states + 1), sizeof(int64_t), m.states + 1);
    read_array(file, NEW(m.row_ptr, m.pairs + 1), sizeof(int64_t), m.pairs + 1);
    read_array(file, NEW(m.next_state, m.entries), sizeof(int32_t), m.entries);
    read_array(file, NEW(probability, m.entries), sizeof(double), m.entries);
    read_array(file, NEW(m.cost_x, m.pairs), sizeof(double), m.pairs);
    fclose(file);
    NEW(m.below, m.entries);
    for (int64_t x = 0; x < m.pairs; x++) {
        double sum = 0.0;
        for (int64_t i = m.row_ptr[x]; i < m.row_ptr[x + 1]; i++) {
            sum += probability[i];
            m.below[i] = sum < 1.0 && i + 1 < m.row_ptr[x + 1] ? (uint64_t)(sum * 0x1p64) : UINT64_MAX;
        }
    }
    free(probability);
    return m;
}

INLINE int32_t next_state(const Model *m, int64_t x, Random *noise) {
    const uint64_t u = draw(noise);
    int64_t i = m->row_ptr[x];
    while (u > m->below[i]) i++;
    return m->next_state[i];
}

/* ---- The agent. */

typedef struct { int32_t visits, first, end, limit; } List; /* N(s, a), and its successors: slots first <= i < end, with room up to limit */

typedef struct {             /* the most hopeful row of a pair */
    double cost, even, last; /* beside its entries it gives `even` to each of the `depth` cheapest states and `last` to the next (box) */
    double left, mass;       /* above the least probabilities; in all, without the goal */
    int32_t depth;           /* as far as `left` reaches, in the order of the states */
    int32_t first, end;      /* its entries: slots first <= i < end */
    int32_t stop, fitted;    /* successors seen: slots first <= i < stop, in N = `fitted` visits */
} Row;

typedef struct {              /* the optimum of one objective, and the policy that attains it */
    double cheapest;          /* the least cost */
    Row *row_x;
    double *weight_i;         /* entries, in order of value: probabilities */
    int32_t *state_i;         /* ... and states */
    double *least_i, *room_i; /* their least probability, and how much more they may have */
    double *value_s, *next_s; /* v_m, v_{m+1} */
    double *total_x;          /* c + p . v_m */
    int32_t *rank, *place_s;  /* the states by value, and the place of each; the goal's is -1 */
    int64_t low, high;        /* the last change of the order was at low <= place <= high */
    double *below;            /* below[m]: summed value of the m cheapest */
    int64_t *policy_s;        /* pairs */
    int64_t known;            /* steps whose counts were learnt */
} Plan;

typedef struct {
    int64_t states, pairs, actions;
    const int64_t *first_pair;
    List *list_x;
    int32_t *state_i, *visits_i; /* N(s, a, s') */
    int32_t used, pool;          /* slots that belong to a list, slots in all */
    Plan plan[2];                /* phase 1: least cost; phase 2: fewest steps */
    int64_t steps, log_size;     /* log_size is a power of 2 */
    int32_t *log;                /* the pairs of the last steps */
    double *radius_n;            /* L1: beta / 2; box: L / n */
    int32_t *preference, *scratch;
    double *alive_s, *next_alive_s;
    const Row **chosen_s;
    Random random;
} Agent;

/* L = ln(S A n / delta); the L1 ball has beta = sqrt(12 L / n) on the paper's grid: 12 counts the goal. */
static double radius(const Agent *a, int64_t n, bool box) {
    const double ratio = log((double)a->pairs * (double)n / DELTA) / (double)n;
    return box ? ratio : 0.5 * sqrt((double)(a->states + 1) * ratio);
}

static void grow_pool(Agent *a, int64_t slots) {
    if (slots > INT32_MAX) fail("more successors than this program can count", "");
    GROW(a->state_i, a->pool, slots), GROW(a->visits_i, a->pool, slots);
    for (Plan *p = a->plan; p < a->plan + 2; p++)
        GROW(p->weight_i, a->pool, slots), GROW(p->state_i, a->pool, slots), GROW(p->least_i, a->pool, slots), GROW(p->room_i, a->pool, slots);
    a->pool = (int32_t)slots;
}

static Agent new_agent(const Model *m, bool box) {
    const int64_t S = m->states, X = m->pairs;
    Agent a = {.states = S, .pairs = X, .first_pair = m->first_pair, .log_size = 1};
    for (int64_t s = 0; s < S; s++)
        if (m->first_pair[s + 1] - m->first_pair[s] > a.actions) a.actions = m->first_pair[s + 1] - m->first_pair[s];
    while (a.log_size < X) a.log_size *= 2;
    NEW(a.log, a.log_size), NEW(a.list_x, X);
    NEW(a.preference, a.actions), NEW(a.scratch, S), NEW(a.chosen_s, S), NEW(a.alive_s, S + 1), NEW(a.next_alive_s, S + 1), NEW(a.radius_n, RADII);
    for (Plan *p = a.plan; p < a.plan + 2; p++) {
        NEW(p->row_x, X), NEW(p->total_x, X), NEW(p->value_s, S + 1), NEW(p->next_s, S + 1), NEW(p->policy_s, S);
        NEW(p->rank, S), NEW(p->place_s, S + 1), NEW(p->below, S + 2);
    }
    grow_pool(&a, 2 * ROOM * X);
    for (int64_t n = 1; n < RADII; n++) a.radius_n[n] = radius(&a, n, box);
    return a;
}

static void forget_everything(Agent *a, const double *cost_x, Random random) {
    const size_t S = (size_t)a->states, X = (size_t)a->pairs;
    a->used = 0, a->steps = 0, a->random = random;
    memset(a->list_x, 0, X * sizeof(List));
    for (int32_t i = 0; i < a->actions; i++) a->preference[i] = i;
    for (Plan *p = a->plan; p < a->plan + 2; p++) {
        p->cheapest = HUGE_VAL, p->known = 0;
        for (size_t x = 0; x < X; x++) {
            p->row_x[x] = (Row){.cost = p == a->plan ? cost_x[x] : 1.0};
            p->cheapest = fmin(p->cheapest, p->row_x[x].cost);
        }
        memset(p->value_s, 0, (S + 1) * sizeof(double)), memset(p->next_s, 0, (S + 1) * sizeof(double));
        for (size_t s = 0; s < S; s++) p->rank[s] = p->place_s[s] = (int32_t)s;
        p->place_s[S] = -1;
    }
}

/* ---- Counts. */

/* A list moves to the end of the pool, with twice the room. */
static void move_list(Agent *a, List *list) {
    const int32_t first = list->first, length = list->end - first, room = length ? 2 * length : ROOM;
    if (a->used > a->pool - room) grow_pool(a, 2 * (int64_t)a->pool + room);
    memcpy(a->state_i + a->used, a->state_i + first, (size_t)length * sizeof(int32_t));
    memcpy(a->visits_i + a->used, a->visits_i + first, (size_t)length * sizeof(int32_t));
    *list = (List){list->visits, a->used, a->used + length, a->used + room};
    a->used += room;
}

INLINE void record(Agent *a, int64_t x, int32_t y) {
    List *const list = &a->list_x[x];
    list->visits++;
    a->log[a->steps++ & (a->log_size - 1)] = (int32_t)x;
    for (int64_t i = list->first, end = list->end; i < end; i++)
        if (a->state_i[i] == y) {
            a->visits_i[i]++;
            return;
        }
    if (list->end == list->limit) move_list(a, list);
    a->state_i[list->end] = y, a->visits_i[list->end++] = 1;
}

/* Put a list in order of value, the goal first. The next plan then finds it in order. */
static void arrange_list(const Agent *a, const Plan *p, const List *list) {
    for (int32_t i = list->first + 1; i < list->end; i++) {
        const int32_t y = a->state_i[i], visits = a->visits_i[i];
        int32_t j = i;
        for (; j > list->first && p->place_s[a->state_i[j - 1]] > p->place_s[y]; j--) a->state_i[j] = a->state_i[j - 1], a->visits_i[j] = a->visits_i[j - 1];
        a->state_i[j] = y, a->visits_i[j] = visits;
    }
}

/* ---- The order of the states. */

static void merge(int32_t *rank, int64_t left, int64_t middle, int64_t right, const double *value_s, int32_t *scratch) {
    if (value_s[rank[middle - 1]] <= value_s[rank[middle]]) return;
    memcpy(scratch, rank + left, (size_t)(middle - left) * sizeof(int32_t));
    for (int64_t i = 0, j = middle, target = left; i < middle - left; target++)
        rank[target] = j < right && value_s[rank[j]] < value_s[scratch[i]] ? rank[j++] : scratch[i++];
}

/* Merge sort from below: equals stay as they were, and stretches that are in order already cost a comparison each. */
static void sort_states(Agent *a, Plan *p) {
    const int64_t S = a->states;
    for (int64_t width = 1; width < S; width *= 2)
        for (int64_t left = 0; left < S - width; left += 2 * width)
            merge(p->rank, left, left + width, left + 2 * width < S ? left + 2 * width : S, p->value_s, a->scratch);
    p->low = S;
    for (int64_t i = 0; i < S; i++)
        if (p->place_s[p->rank[i]] != i) {
            p->place_s[p->rank[i]] = (int32_t)i, p->high = i;
            if (i < p->low) p->low = i;
        }
}

/* Sum up the values from the cheapest on; says whether they are in order. */
INLINE bool accumulate(const Plan *p, const double *value_s, int64_t S, bool box) {
    double sum = 0.0, last = 0.0;
    bool sorted = true;
    for (int64_t i = 0; i < S; i++) {
        const double value = value_s[p->rank[i]];
        if (box) p->below[i + 1] = sum += value;
        sorted &= last <= value;
        last = value;
    }
    return sorted;
}

/* ---- The most hopeful model. */

/* What is left goes to the cheapest states, each up to its room. States never seen have room for `even` in a box, for nothing in the L1 ball. */
INLINE void fill(Plan *p, Row *row, int64_t S, bool box) {
    double left = row->left;
    int32_t depth = box ? 0 : -1, end = row->first;
    row->last = 0.0;
    for (int32_t i = row->first; i < row->stop; i++) {
        const int32_t place = p->place_s[p->state_i[i]];
        if (box && left > 0.0) {
            const double unseen = (place - depth) * row->even;
            if (unseen <= left) {
                left -= unseen, depth = place;
            } else {
                const int32_t filled = (int32_t)(left / row->even);
                row->last = left - filled * row->even, depth += filled, left = 0.0;
            }
        } else if (left > 0.0) {
            depth = place;
        }
        const double added = left < p->room_i[i] ? left : p->room_i[i];
        double weight = box ? p->least_i[i] + added : added;
        left -= added;
        if (box && left > 0.0) weight -= row->even, depth++; /* `depth` passes over it, and gives it this */
        p->weight_i[i] = weight;
        if (weight != 0.0) end = i + 1;
    }
    if (box && left > 0.0) {
        const double filled = floor(left / row->even);
        if (depth + filled < (double)S) row->last = left - filled * row->even, depth += (int32_t)filled;
        else depth = (int32_t)S;
    }
    row->depth = depth, row->end = end;
}

/* Write the row of a pair whose counts have changed. */
INLINE void fit(const Agent *a, Plan *p, int64_t x, bool box) {
    Row *const row = &p->row_x[x];
    const List *const list = &a->list_x[x];
    const int32_t *const y = a->state_i, *const place_s = p->place_s;
    const int64_t stop = list->end;
    for (int64_t i = list->first + 1; i < stop; i++)
        if (place_s[y[i - 1]] > place_s[y[i]]) {
            arrange_list(a, p, list);
            break;
        }
    const double n = list->visits, r = list->visits < RADII ? a->radius_n[list->visits] : radius(a, list->visits, box);
    double p_goal = 0.0, least_sum = 0.0;
    int64_t i = list->first;
    if (y[i] == a->states) p_goal = a->visits_i[i++] / n;
    row->fitted = list->visits, row->first = (int32_t)i, row->stop = (int32_t)stop;
    for (; i < stop; i++) {
        const double p_hat = a->visits_i[i] / n;
        p->state_i[i] = y[i];
        if (box) {
            const double stray = sqrt(p_hat * (1.0 - p_hat) * r) + r, least = p_hat > stray ? p_hat - stray : 0.0, most = p_hat + stray;
            p->least_i[i] = least, p->room_i[i] = (most < 1.0 ? most : 1.0) - least;
            least_sum += least;
        } else {
            p->room_i[i] = p_hat;
        }
    }
    const double left = 1.0 - (p_goal + (box ? sqrt(p_goal * (1.0 - p_goal) * r) + r : r)) - least_sum;
    row->left = left > 0.0 ? left : 0.0;
    row->mass = row->left + least_sum;
    row->even = !box ? 0.0 : r < 1.0 ? r : 1.0;
    fill(p, row, a->states, box);
}

/* Take in the visits since the last plan: from the log, unless it is shorter to look through all pairs. */
INLINE void learn(const Agent *a, Plan *p, bool box) {
    const bool logged = a->steps - p->known < a->pairs;
    const int64_t begin = logged ? p->known : 0, end = logged ? a->steps : a->pairs;
    for (int64_t i = begin; i < end; i++) {
        const int64_t x = logged ? a->log[i & (a->log_size - 1)] : i;
        if (p->row_x[x].fitted != a->list_x[x].visits) fit(a, p, x, box);
    }
    p->known = a->steps;
}

INLINE void arrange(Plan *p, const Row *row) {
    for (int32_t i = row->first + 1; i < row->stop; i++) {
        const int32_t y = p->state_i[i];
        const double least = p->least_i[i], room = p->room_i[i];
        int32_t j = i;
        for (; j > row->first && p->place_s[p->state_i[j - 1]] > p->place_s[y]; j--)
            p->state_i[j] = p->state_i[j - 1], p->least_i[j] = p->least_i[j - 1], p->room_i[j] = p->room_i[j - 1];
        p->state_i[j] = y, p->least_i[j] = least, p->room_i[j] = room;
    }
}

/* The order has changed. A row stays as it is if what was left ends behind all the states that changed places, or before. */
INLINE void rearrange(const Agent *a, Plan *p, bool box) {
    for (Row *row = p->row_x; row < p->row_x + a->pairs; row++)
        if (row->fitted && p->low <= row->depth && row->depth <= p->high) {
            arrange(p, row);
            fill(p, row, a->states, box);
        }
}

/* p . v */
INLINE double expect(const Plan *p, const Row *row, const double *value_s, bool box) {
    const double *const weight_i = p->weight_i, *const below = p->below;
    const int32_t *const state_i = p->state_i;
    double total = 0.0;
    for (int64_t i = row->first, end = row->end; i < end; i++) total += weight_i[i] * value_s[state_i[i]];
    if (box) total += row->even * below[row->depth] + row->last * (below[row->depth + 1] - below[row->depth]);
    return total;
}

/* ---- Planning. */

typedef struct { int32_t sweeps, fills; } Effort;

/* next := L value; returns ||next - value||. After `shrink` no product is needed: the totals are known for value / alpha, and p . (alpha v) = alpha (p . v). */
INLINE double sweep(const Agent *a, Plan *p, double alpha, bool shrunk, bool box) {
    const double *const value_s = p->value_s;
    const int64_t *const first_pair = a->first_pair;
    double *const next_s = p->next_s, *total = p->total_x, change = 0.0;
    const Row *row = p->row_x;
    for (int64_t s = 0, S = a->states; s < S; s++) {
        double best = HUGE_VAL;
        for (const double *const end = p->total_x + first_pair[s + 1]; total < end; row++, total++) {
            *total = row->cost + (shrunk ? alpha * (*total - row->cost) : expect(p, row, value_s, box));
            best = *total < best ? *total : best;
        }
        next_s[s] = best;
        const double by = fabs(best - value_s[s]);
        change = by > change ? by : change;
    }
    return change;
}

/* v_m := v_{m+1}. */
INLINE void rise(Agent *a, Plan *p, Effort *effort, bool box) {
    double *const value_s = p->next_s;
    p->next_s = p->value_s, p->value_s = value_s;
    if (accumulate(p, value_s, a->states, box)) return;
    sort_states(a, p);
    rearrange(a, p, box);
    accumulate(p, value_s, a->states, box);
    effort->fills++;
}

/* v := alpha v with alpha = c_min / (c_min + max (v - Lv)+): then v <= Lv, and the iterates rise to the fixed point. Returns alpha. */
INLINE double shrink(const Agent *a, Plan *p) {
    double excess = 0.0;
    for (int64_t s = 0; s < a->states; s++) excess = p->value_s[s] - p->next_s[s] > excess ? p->value_s[s] - p->next_s[s] : excess;
    const double alpha = p->cheapest / (p->cheapest + excess);
    if (alpha < 1.0)
        for (int64_t s = 0; s < a->states; s++) p->value_s[s] *= alpha;
    return alpha;
}

/* The greedy policy of the last sweep: of equals the first in an order of the actions that is drawn once for all states. */
INLINE void choose_actions(Agent *a, const Plan *p) {
    int32_t *const preference = a->preference;
    const double *const total_x = p->total_x;
    for (int64_t i = a->actions - 1; i > 0; i--) {
        const int64_t j = (int64_t)((unsigned __int128)draw(&a->random) * (uint64_t)(i + 1) >> 64);
        const int32_t moved = preference[i];
        preference[i] = preference[j], preference[j] = moved;
    }
    for (int64_t s = 0, S = a->states, A = a->actions; s < S; s++) {
        const int64_t first = a->first_pair[s], actions = a->first_pair[s + 1] - first;
        const double limit = p->next_s[s] * (1.0 + TIE);
        int64_t choice = 0;
        for (int64_t i = A - 1; i >= 0; i--) { /* backwards, because a conditional move is cheaper than a branch that no one can predict */
            const int64_t action = preference[i];
            if (action < actions) choice = total_x[first + action] <= limit ? action : choice;
        }
        p->policy_s[s] = first + choice;
    }
}

INLINE Effort extended_value_iteration(Agent *a, Plan *p, double tolerance, bool box, bool warm) {
    Effort effort = {.sweeps = 1, .fills = 1};
    if (!warm) memset(p->next_s, 0, (size_t)a->states * sizeof(double));
    rise(a, p, &effort, box);
    learn(a, p, box);
    double change = sweep(a, p, 1.0, false, box);
    const double alpha = warm ? shrink(a, p) : 1.0;
    if (alpha < 1.0) change = sweep(a, p, alpha, true, box), effort.sweeps++;
    for (; change > tolerance; effort.sweeps++) {
        rise(a, p, &effort, box);
        change = sweep(a, p, 1.0, false, box);
    }
    choose_actions(a, p);
    return effort;
}

/* H = min{n > 1 : ||Q^(n-1)|| <= gamma}: Q^n 1 is the chance of not being at the goal after n steps. */
INLINE int32_t pivot_horizon(const Agent *a, const Plan *p, double gamma, bool box) {
    double *alive_s = a->alive_s, *next_s = a->next_alive_s, worst = 0.0;
    const int64_t S = a->states;
    for (int64_t s = 0; s < S; s++) {
        a->chosen_s[s] = &p->row_x[p->policy_s[s]];
        alive_s[s] = a->chosen_s[s]->mass;
        worst = alive_s[s] > worst ? alive_s[s] : worst;
    }
    int32_t horizon = 2;
    for (; worst > gamma; horizon++) {
        if (box) accumulate(p, alive_s, S, box);
        worst = 0.0;
        for (int64_t s = 0; s < S; s++) {
            next_s[s] = expect(p, a->chosen_s[s], alive_s, box);
            worst = next_s[s] > worst ? next_s[s] : worst;
        }
        double *const dead = alive_s;
        alive_s = next_s, next_s = dead;
    }
    return horizon;
}

/* ---- Running. */

enum { STEPS, PHASE1_STEPS, PHASE2_STEPS, PIVOT, PHASE2_PIVOT, ATTEMPTS, PLANS, SWEEPS, INTEGERS };
static const char *const NAMES[INTEGERS] = {"steps", "phase1_steps", "phase2_steps", "pivot", "phase2_pivot", "attempts", "plans", "sweeps"};
typedef struct { double *cost, *optimistic_value; int32_t *integer[INTEGERS]; } Columns; /* a number each episode */

/* Returns the number of fills. */
INLINE int64_t run(const Model *m, Agent *a, const Columns *c, int64_t episodes, Random noise, bool box, bool warm) {
    int64_t fills = 0, phase2_attempts = 0;
    for (int64_t k = 0; k < episodes; k++) {
        int32_t s = (int32_t)m->start, steps[2] = {0, 0}, pivot[2] = {0, 0}, attempts = 0, sweeps = 0;
        double cost = 0.0;
        for (; s != m->states; attempts++) {
            const int phase = attempts > 0;
            Plan *const p = &a->plan[phase];
            phase2_attempts += phase;
            const Effort effort = extended_value_iteration(a, p, p->cheapest / (2.0 * (double)(a->steps + 1)), box, warm);
            const int32_t horizon = pivot_horizon(a, p, 1.0 / sqrt((double)(phase ? phase2_attempts : k + 1)), box);
            if (horizon > pivot[phase]) pivot[phase] = horizon;
            if (!phase) c->optimistic_value[k] = p->value_s[s];
            sweeps += effort.sweeps, fills += effort.fills;
            for (int32_t t = 0; t <= horizon && s != m->states; t++) { /* H + 1 actions at most */
                const int64_t x = p->policy_s[s];
                s = next_state(m, x, &noise);
                record(a, x, s);
                cost += m->cost_x[x], steps[phase]++;
            }
        }
        const int32_t integer[INTEGERS] = {steps[0] + steps[1], steps[0], steps[1], pivot[0], pivot[1], attempts, attempts, sweeps};
        for (int i = 0; i < INTEGERS; i++) c->integer[i][k] = integer[i];
        c->cost[k] = cost;
    }
    return fills;
}

typedef int64_t Run(const Model *, Agent *, const Columns *, int64_t, Random);
static int64_t l1_cold(const Model *m, Agent *a, const Columns *c, int64_t episodes, Random noise) { return run(m, a, c, episodes, noise, false, false); }
static int64_t l1_warm(const Model *m, Agent *a, const Columns *c, int64_t episodes, Random noise) { return run(m, a, c, episodes, noise, false, true); }
static int64_t bernstein_cold(const Model *m, Agent *a, const Columns *c, int64_t episodes, Random noise) { return run(m, a, c, episodes, noise, true, false); }
static int64_t bernstein_warm(const Model *m, Agent *a, const Columns *c, int64_t episodes, Random noise) { return run(m, a, c, episodes, noise, true, true); }

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 7) fail("usage: uc_ssp MODEL l1|bernstein warm|cold EPISODES RUNS SEED", "");
    const bool box = strcmp(argv[2], "bernstein") == 0, warm = strcmp(argv[3], "warm") == 0;
    if (!box && strcmp(argv[2], "l1") != 0) fail("expected l1 or bernstein, not ", argv[2]);
    if (!warm && strcmp(argv[3], "cold") != 0) fail("expected warm or cold, not ", argv[3]);
    const int64_t episodes = atoll(argv[4]), runs = atoll(argv[5]), checkpoints[] = {500, 1000, 3000};
    const uint64_t seed = strtoull(argv[6], NULL, 10);
    if (episodes < 1 || runs < 1) fail("expected at least one episode and one run", "");
    const Model m = read_model(argv[1]);
    Agent a = new_agent(&m, box);
    Columns c;
    NEW(c.cost, episodes), NEW(c.optimistic_value, episodes);
    for (int i = 0; i < INTEGERS; i++) NEW(c.integer[i], episodes);
    Run *const play = box ? warm ? bernstein_warm : bernstein_cold : warm ? l1_warm : l1_cold;

    double cpu = 0.0, wall = 0.0, best = HUGE_VAL, optimistic_value = 0.0, mean[3] = {0.0}, squares[3] = {0.0};
    int64_t fills = 0, totals[INTEGERS] = {0};
    for (int64_t r = 0; r < runs; r++) {
        const double wall_before = seconds(CLOCK_MONOTONIC), cpu_before = seconds(CLOCK_PROCESS_CPUTIME_ID);
        forget_everything(&a, m.cost_x, seeded(seed, (uint64_t)r, 0));
        fills += play(&m, &a, &c, episodes, seeded(seed, (uint64_t)r, 1));
        const double cpu_of_run = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_before;
        wall += seconds(CLOCK_MONOTONIC) - wall_before, cpu += cpu_of_run, best = fmin(best, cpu_of_run);
        double cost = 0.0;
        for (int64_t k = 0, i = 0; k < episodes; k++) {
            cost += c.cost[k], optimistic_value += c.optimistic_value[k];
            for (int j = 0; j < INTEGERS; j++) totals[j] += c.integer[j][k];
            if (i < 3 && k + 1 == checkpoints[i]) { /* Welford's running mean and sum of squares */
                const double by = cost - mean[i];
                mean[i] += by / (double)(r + 1), squares[i] += by * (cost - mean[i]), i++;
            }
        }
    }
    printf("{\"cpu_seconds\": %.9f, \"wall_seconds\": %.9f, \"best_cpu_seconds\": %.9f, \"fills\": %lld", cpu, wall, best, (long long)fills);
    for (int i = 0; i < INTEGERS; i++) printf(", \"%s\": %lld", NAMES[i], (long long)totals[i]);
    printf(", \"optimistic_value\": %.17g, \"cumulative_cost\": {", optimistic_value / (double)(runs * episodes));
    for (int i = 0; i < 3 && checkpoints[i] <= episodes; i++) {
        const double error = runs > 1 ? sqrt(squares[i] / (double)(runs - 1) / (double)runs) : 0.0;
        printf("%s\"%lld\": [%.17g, %.17g]", i ? ", " : "", (long long)checkpoints[i], mean[i], error);
    }
    printf("}}\n");
    return EXIT_SUCCESS;
}
