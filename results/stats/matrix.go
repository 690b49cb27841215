package stats

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// matrix is a square matrix, row after row.
type matrix struct {
	size int
	data []float64
}

func newMatrix(size int) *matrix { return &matrix{size, make([]float64, size*size)} }

func (m *matrix) at(i, j int) float64 { return m.data[i*m.size+j] }

// between returns the variance of the difference of two parameters, of whose covariances m is the matrix.
func (m *matrix) between(i, j int) float64 { return m.at(i, i) + m.at(j, j) - 2*m.at(i, j) }

func (m *matrix) row(i int) []float64 { return m.data[i*m.size : (i+1)*m.size] }

// add adds to an element of a symmetric matrix, and to its mirror image.
func (m *matrix) add(i, j int, v float64) {
	m.data[i*m.size+j] += v
	if i != j {
		m.data[j*m.size+i] += v
	}
}

// norm returns the greatest sum of the absolute values of a row.
func (m *matrix) norm() float64 {
	most := 0.0
	for i := range m.size {
		most = max(most, floats.Norm(m.row(i), 1))
	}
	return most
}

// times returns the product of two matrices.
func (m *matrix) times(other *matrix) *matrix {
	product := newMatrix(m.size)
	for i := range m.size {
		for k, v := range m.row(i) {
			floats.AddScaled(product.row(i), v, other.row(k))
		}
	}
	return product
}

// cholesky returns the lower triangle whose product with its mirror image is m, which is symmetric; ok is false if m is
// not positive definite. Source: A.-L. Cholesky, Sur la résolution numérique des systèmes d'équations linéaires (1910).
func (m *matrix) cholesky() (triangle *matrix, ok bool) {
	lower := newMatrix(m.size)
	for i := range m.size {
		row := lower.row(i)
		for j := range i {
			above := lower.row(j)
			row[j] = (m.at(i, j) - floats.Dot(row[:j], above[:j])) / above[j]
		}
		square := m.at(i, i) - floats.Dot(row[:i], row[:i])
		if !(square > 0) {
			return nil, false
		}
		row[i] = math.Sqrt(square)
	}
	return lower, true
}

// solve returns the vector x with m x = v, where m is the matrix whose Cholesky triangle this is.
func (m *matrix) solve(v []float64) []float64 {
	x := make([]float64, m.size)
	for i := range x {
		x[i] = (v[i] - floats.Dot(m.row(i)[:i], x[:i])) / m.at(i, i)
	}
	for i := m.size - 1; i >= 0; i-- {
		x[i] /= m.at(i, i)
		floats.AddScaled(x[:i], -x[i], m.row(i)[:i])
	}
	return x
}

// inverse returns the inverse of the matrix whose Cholesky triangle this is. It is symmetric except for rounding.
func (m *matrix) inverse() *matrix {
	inverse, unit := newMatrix(m.size), make([]float64, m.size)
	for i := range m.size {
		unit[i] = 1
		copy(inverse.row(i), m.solve(unit))
		unit[i] = 0
	}
	return inverse
}
